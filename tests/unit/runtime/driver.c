/* driver.c -- see driver.h. */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct lp_value *cell(struct driver *d, uintptr_t loc, unsigned size)
{
	for (unsigned i = 0; i < d->cell_count; i++)
		if (d->cells[i].loc == loc && d->cells[i].size == size)
			return &d->cells[i].value;
	if (d->cell_count == sizeof d->cells / sizeof *d->cells)
		abort();
	struct cell *c = &d->cells[d->cell_count++];
	c->loc = loc;
	c->size = (uint8_t)size;
	d->program->class->initial(d->program, loc, size, &c->value);
	return &c->value;
}

static enum lp_plain on_access(struct lp_observer *o, const struct lp_plain_range *range, struct lp_plain_piece *piece,
			       struct lp_program_error *error)
{
	struct driver *d = (struct driver *)o;
	const uintptr_t loc = range->loc;
	const size_t size = range->size;

	d->plain++;
	if (range->write && d->race_at_writes) {
		*error = (struct lp_program_error){ .kind = LP_ERROR_RACE, .text = "said so", .loc = loc,
						    .pc = range->pc, .other_thread = range->thread };
		return LP_PLAIN_RACE;
	}
	if (!d->plain_events)
		return LP_PLAIN_OK;
	*piece = (struct lp_plain_piece){ size, true };
	if (size > 8 || (size & (size - 1)) || loc % size)
		piece->size = loc % 8 || size < 8 ? 1 : 8;
	return LP_PLAIN_EVENT;
}

static void on_allocated(struct lp_observer *o, lp_tid thread, uintptr_t loc, size_t size,
			 uintptr_t pc)
{
	(void)pc;
	(void)o, (void)thread, (void)loc, (void)size;
}

static bool on_freed(struct lp_observer *o, lp_tid thread, uintptr_t loc, size_t size,
		     uintptr_t pc, struct lp_program_error *error)
{
	(void)o, (void)thread, (void)loc, (void)size, (void)pc, (void)error;
	return true;
}

static bool open_program(struct driver *d, const struct lp_runtime_options *options,
			 struct lp_error *error)
{
	const bool done = lp_native_open(&d->native, options, error);

	d->program = d->native.program;
	d->observer.access = on_access;
	d->observer.allocated = on_allocated;
	d->observer.freed = on_freed;
	if (done)
		d->program->observer = &d->observer;
	return done;
}

bool driver_open(struct driver *d, const char *source, const char *suffix, const char *compiler,
		 const char *const *flags, struct lp_error *error)
{
	struct lp_runtime_options options = LP_RUNTIME_DEFAULTS;
	char file[64];

	memset(d, 0, sizeof *d);
	snprintf(file, sizeof file, "/tmp/lp-test-XXXXXX%s", suffix);
	const int fd = mkstemps(file, (int)strlen(suffix));
	if (fd < 0 || write(fd, source, strlen(source)) != (ssize_t)strlen(source))
		abort();
	close(fd);
	options.file = file;
	options.compiler = compiler;
	options.flags = flags;
	options.echo = options.leaks = true;
	options.seconds = 0.5;
	options.plain_steps = 100000;
	options.heap_limit = 4 << 20;
	options.stack_size = 64 << 10;
	const bool done = open_program(d, &options, error);
	unlink(file);
	return done;
}

bool driver_open_compiled(struct driver *d, const char *folder, struct lp_error *error)
{
	struct lp_runtime_options options = LP_RUNTIME_DEFAULTS;

	memset(d, 0, sizeof *d);
	options.file = "program.c";
	options.folder = folder;
	options.compiled = true;
	return open_program(d, &options, error);
}

void driver_close(struct driver *d)
{
	lp_native_close(&d->native);
}

void driver_reset(struct driver *d)
{
	d->cell_count = 0;
	d->steps = d->plain = d->choices = 0;
	d->kind = NULL;
	lp_program_reset(d->program);
}

bool driver_runnable(struct driver *d, lp_tid t)
{
	const struct lp_op *op = lp_program_pending(d->program, t);

	if (!op)
		return false;
	switch ((enum lp_op_kind)op->kind) {
	case LP_OP_END:
	case LP_OP_ERROR:
	case LP_OP_BLOCK:
		return false;
	case LP_OP_JOIN:
		op = lp_program_pending(d->program, op->target);
		return op && op->kind == LP_OP_END;
	case LP_OP_LOAD:
	case LP_OP_RMW:
		return op->otherwise == LP_ELSE_FAIL ||
		       lp_op_holds(op, *cell(d, op->loc, op->size));
	default:
		return true;
	}
}

void driver_step(struct driver *d, lp_tid t)
{
	const struct lp_op op = *lp_program_pending(d->program, t);
	struct lp_response answer = { .failed = false };

	switch ((enum lp_op_kind)op.kind) {
	case LP_OP_LOAD:
		answer.value = *cell(d, op.loc, op.size);
		break;
	case LP_OP_STORE:
		cell(d, op.loc, op.size);
		*cell(d, op.loc, op.size) = answer.wrote = op.operand;
		break;
	case LP_OP_RMW:
		answer.value = *cell(d, op.loc, op.size);
		answer.failed = !lp_op_holds(&op, answer.value);
		if (!answer.failed)
			*cell(d, op.loc, op.size) = answer.wrote = lp_op_result(&op, answer.value);
		break;
	case LP_OP_CHOOSE:
	case LP_OP_CALL:
		d->choices++;
		answer.value.lo = d->choice < op.count ? d->choice : op.count - 1;
		break;
	default:
		break;
	}
	d->steps++;
	lp_program_resume(d->program, t, &answer);
}

bool driver_run(struct driver *d, unsigned long steps)
{
	const unsigned long limit = steps ? d->steps + steps : 1000000;

	for (bool moved = true, ended; d->steps < limit; moved = false) {
		ended = true;
		for (lp_tid t = 0; t < lp_program_threads(d->program) && d->steps < limit; t++) {
			if (driver_runnable(d, t)) {
				driver_step(d, t);
				moved = true;
			}
			const struct lp_op *op = lp_program_pending(d->program, t);
			if (op && op->kind == LP_OP_ERROR) {
				d->kind = lp_error_name(op->error->kind);
				memcpy(d->text, op->error->text, sizeof d->text);
				d->program->class->describe_pc(d->program, op->error->pc, d->where,
							       sizeof d->where);
				return false;
			}
			ended &= !op || op->kind == LP_OP_END;
		}
		if (ended)
			return true;
		if (!moved) {
			d->kind = "deadlock";
			return false;
		}
	}
	return false;
}
