/* script_plain.c -- plain memory of a script: accesses, allocations and frees.
 *
 * The observer is told of a plain access before it takes place, and may request that some bytes of the
 * access become events. These events are presented one after the other, and then the rest of the access
 * is made in memory.
 */
#include "program/script_state.h"

#include <stdio.h>
#include <string.h>

/* The error of this kind at the thread's line. It is made only once, so it is valid after every
 * restore. */
static const struct lp_program_error *error_here(struct script_program *p, const struct thread *t,
						 enum lp_error_kind kind, const char *text)
{
	for (uint32_t i = 0; i < p->known.count; i++)
		if (p->known.at[i]->pc == t->op.pc && p->known.at[i]->kind == kind)
			return p->known.at[i];

	struct lp_program_error *error = lp_arena_alloc(&p->errors, sizeof *error);

	error->kind = kind;
	error->pc = t->op.pc;
	snprintf(error->text, sizeof error->text, "%s", text);
	LP_PUSH(&p->known, error);
	return error;
}

bool lp_script_fail(struct script_program *p, struct thread *t, enum lp_error_kind kind, const char *text)
{
	t->op.kind = LP_OP_ERROR;
	t->op.error = error_here(p, t, kind, text);
	return true;
}

static bool fail_as_told(struct script_program *p, struct thread *t, const struct lp_program_error *error)
{
	struct lp_program_error *kept = lp_arena_alloc(&p->errors, sizeof *kept);

	*kept = *error;
	t->op.kind = LP_OP_ERROR;
	t->op.error = kept;
	return true;
}

bool lp_script_is_dead(struct script_program *p, lp_tid tid, const struct lp_script_line *line)
{
	struct thread *t = &p->threads[tid];

	switch ((enum life)p->life[loc_of(p, tid, line)]) {
	case ALIVE:
		return false;
	case FREED:
		if (line->kind == LP_LINE_FREE)
			return lp_script_fail(p, t, LP_ERROR_DOUBLE_FREE, "the location was already freed");
		return lp_script_fail(p, t, LP_ERROR_USE_AFTER_FREE, "the location was freed");
	case UNBORN:
		break;
	}
	if (line->whose == LP_WHOSE_NAMED && t->regs[line->owner] - LP_SCRIPT_ME >= LP_SCRIPT_OWNERS)
		return lp_script_fail(p, t, LP_ERROR_OUT_OF_BOUNDS, "the register holds no address");
	return lp_script_fail(p, t, LP_ERROR_UNSUPPORTED, "the location is not yet allocated");
}

/* Stores the bytes of a plain load that an event has read. */
static void gather(struct thread *t, unsigned size, uint64_t value)
{
	t->read |= value << 8 * t->done;
	t->gathered |= (uint8_t)(((1u << size) - 1) << t->done);
}

/* The value of a plain load: the bytes that events have read, and for the others the bytes in
 * memory. */
static uint64_t gathered(const struct script_program *p, const struct thread *t, uint32_t index,
			 const struct lp_script_line *line)
{
	const unsigned size = size_of(line);
	uint64_t value = lp_value_read((const char *)&p->memory[index] + line->from, size).lo;

	for (unsigned i = 0; i < size; i++)
		if (t->gathered >> i & 1)
			value = (value & ~(UINT64_C(0xff) << 8 * i)) | (t->read & UINT64_C(0xff) << 8 * i);
	return value;
}

/* Continues the plain access at `line`. Returns true if a further part of it is an event or an
 * error, which is then pending. Otherwise the access has been performed. */
static bool go_on_plainly(struct script_program *p, lp_tid tid, const struct lp_script_line *line)
{
	struct lp_observer *observer = p->base.observer;
	struct thread *t = &p->threads[tid];
	const uint32_t index = loc_of(p, tid, line);
	const uintptr_t loc = lp_script_address(index) + line->from;
	const unsigned size = size_of(line);
	const bool write = line->kind != LP_LINE_PLOAD;
	const uint64_t value = line->kind == LP_LINE_ALLOC ? p->script->locs.at[index].initial :
			       write ? lp_script_value(t, &line->a) : 0;
	enum lp_plain what = LP_PLAIN_OK;

	t->answered_plain = false;
	while (observer && t->done < size) {
		struct lp_program_error error = { .kind = LP_ERROR_RACE };
		const struct lp_plain_range range = { tid, write, loc + t->done, size - t->done, t->op.pc };
		struct lp_plain_piece first = { 0, true };
		what = observer->access(observer, &range, &first, &error);
		const size_t piece = first.size;
		if (what == LP_PLAIN_OK || what == LP_PLAIN_OWN)
			break;
		if (what == LP_PLAIN_RACE)
			return fail_as_told(p, t, &error);
		if (!piece || piece > size - t->done)
			LP_BUG("an observer wants %zu bytes of %u", piece, size - t->done);
		if (first.shared) {
			t->op.kind = write ? LP_OP_STORE : LP_OP_LOAD;
			t->op.order = LP_PLAIN;
			t->op.loc = loc + t->done;
			t->op.size = (uint8_t)piece;
			t->op.operand = lp_value_truncate(lp_value(value >> 8 * t->done), (unsigned)piece);
			t->answered_plain = true;
			return true;
		}
		if (write)
			write_memory(p, tid, line, t->done, (unsigned)piece, value >> 8 * t->done);
		t->done = (uint8_t)(t->done + piece);
	}
	if (write && t->done < size) {
		write_memory(p, tid, line, t->done, size - t->done, value >> 8 * t->done);
		p->asked++;
		t->plain_writes += what != LP_PLAIN_OWN;
	} else if (!write) {
		set_reg(t, line->dest, gathered(p, t, index, line));
	}
	return false;
}

bool lp_script_plain(struct script_program *p, lp_tid tid, const struct lp_script_line *line)
{
	p->threads[tid].done = 0;
	return go_on_plainly(p, tid, line);
}

bool lp_script_allocate(struct script_program *p, lp_tid tid, const struct lp_script_line *line)
{
	struct lp_observer *observer = p->base.observer;
	struct thread *t = &p->threads[tid];
	const uint32_t index = loc_of(p, tid, line);

	if (p->life[index] != UNBORN)
		return lp_script_fail(p, t, LP_ERROR_UNSUPPORTED, "the location is allocated twice");
	p->life[index] = ALIVE;
	p->asked++;
	t->plain_writes++;
	set_reg(t, line->dest, LP_SCRIPT_ME + tid);
	const uint32_t on_stack = p->script->stack;
	if (observer && !(on_stack && index - (on_stack - 1) < LP_SCRIPT_OWNERS))
		observer->allocated(observer, tid, lp_script_address(index), WIDTH, t->op.pc);
	return lp_script_plain(p, tid, line);
}

bool lp_script_release(struct script_program *p, lp_tid tid, const struct lp_script_line *line)
{
	struct lp_observer *observer = p->base.observer;
	struct thread *t = &p->threads[tid];
	const uint32_t index = loc_of(p, tid, line);
	struct lp_program_error error = { .kind = LP_ERROR_USE_AFTER_FREE };

	if (observer && !observer->freed(observer, tid, lp_script_address(index), WIDTH, t->op.pc, &error))
		return fail_as_told(p, t, &error);
	p->life[index] = FREED;
	p->asked++;
	t->plain_writes++;
	return false;
}

bool lp_script_go_on(struct script_program *p, lp_tid tid, const struct lp_script_line *line,
		     const struct lp_response *answer)
{
	struct thread *t = &p->threads[tid];

	if (t->op.kind == LP_OP_LOAD)
		gather(t, t->op.size, answer->value.lo);
	t->done = (uint8_t)(t->done + t->op.size);
	return go_on_plainly(p, tid, line);
}
