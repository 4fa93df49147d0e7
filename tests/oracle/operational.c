/* operational.c -- interleavings of threads and store buffers; see operational.h. */
#include "operational.h"

#include "base/error.h"
#include "base/hash.h"

#include <string.h>

#define MAX_THREADS 8
#define MAX_LOCS 8
#define MAX_BUFFER 16
#define MAX_EVENTS 64
#define MAX_STATES 100000

struct buffer {
	uint32_t count;
	uint32_t event[MAX_BUFFER]; /* oldest first */
	bool drains;                /* a seq_cst store is in it: nothing more until empty */
};

/* What is copied at each step; the program saves itself. */
struct machine {
	struct buffer buffer[MAX_THREADS];
	uint32_t last[MAX_LOCS]; /* event whose write is in memory, or SEEN_INITIAL */
};

struct run {
	const struct lp_script *script;
	const struct naive_options *options;
	struct naive_result *result;
	struct lp_program *program;
	struct machine m;
	struct { LP_VEC(struct seen_event); } events;
	struct { LP_VEC(struct lp_fingerprint); } visited; /* open addressing */
	uint32_t states;
};

static uint32_t loc_of(const struct lp_op *op)
{
	return (uint32_t)((op->loc - lp_script_address(0)) / 64);
}

/* Events are named by thread and number, so that equal states that were reached
 * in different orders look equal. */
static uint64_t name_of(const struct run *r, uint32_t event)
{
	uint64_t number = 0;

	if (event >= SEEN_INITIAL)
		return event;
	for (uint32_t i = 0; i < event; i++)
		number += r->events.at[i].thread == r->events.at[event].thread;
	return r->events.at[event].thread * UINT64_C(1000) + number;
}

static bool seen_before(struct run *r)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	for (lp_tid t = 0; t < r->script->blocks.count; t++) {
		lp_fingerprint_word(&f, 77);
		for (uint32_t i = 0; i < r->events.count; i++) {
			const struct seen_event *e = &r->events.at[i];
			if (e->thread != t)
				continue;
			lp_fingerprint_word(&f, lp_op_chooses(e->op.kind) ? e->answer.value.lo
									   : e->answer.failed);
			lp_fingerprint_word(&f, name_of(r, e->reads_from));
			lp_fingerprint_word(&f, name_of(r, e->co_after));
		}
		lp_fingerprint_word(&f, r->m.buffer[t].drains);
	}
	f.a |= 1;
	uint64_t i = f.b % r->visited.room;
	while (r->visited.at[i].a) {
		if (r->visited.at[i].a == f.a && r->visited.at[i].b == f.b)
			return true;
		i = (i + 1) % r->visited.room;
	}
	r->visited.at[i] = f;
	r->states++;
	return false;
}

static void step(struct run *r);

/* The write of `event` reaches memory. */
static void commit(struct run *r, uint32_t event)
{
	const uint32_t loc = loc_of(&r->events.at[event].op);

	r->events.at[event].co_after = r->m.last[loc];
	r->m.last[loc] = event;
}

static void flush(struct run *r, lp_tid t)
{
	const struct machine saved = r->m;
	struct buffer *b = &r->m.buffer[t];
	const uint32_t event = b->event[0];

	memmove(b->event, b->event + 1, sizeof b->event - sizeof b->event[0]);
	if (!--b->count)
		b->drains = false;
	commit(r, event);
	step(r);
	r->events.at[event].co_after = SEEN_NONE;
	r->m = saved;
}

static void perform(struct run *r, lp_tid t, const struct lp_op *op, struct lp_response answer,
		    uint32_t reads_from)
{
	const struct machine saved = r->m;
	const uint32_t event = r->events.count;
	const bool buffered = op->kind == LP_OP_STORE && r->options->model == LP_MODEL_TSO;
	struct buffer *b = &r->m.buffer[t];

	if (event == MAX_EVENTS || b->count == MAX_BUFFER) {
		r->result->too_large = true;
		return;
	}
	const uint32_t mark = r->program->class->save(r->program);

	LP_PUSH(&r->events, (struct seen_event){ .op = *op, .answer = answer, .thread = t,
						 .reads_from = reads_from, .co_after = SEEN_NONE });
	if (buffered) {
		b->event[b->count++] = event;
		b->drains |= op->order == LP_SC;
	} else if (seen_writes(&r->events.at[event])) {
		commit(r, event);
	}
	lp_program_resume(r->program, t, &answer);
	step(r);
	r->events.count--;
	r->m = saved;
	r->program->class->restore(r->program, mark);
	r->program->class->forget(r->program, mark);
}

static uint32_t visible_write(const struct run *r, lp_tid t, uint32_t loc)
{
	const struct buffer *b = &r->m.buffer[t];

	for (uint32_t i = b->count; i-- > 0;)
		if (loc_of(&r->events.at[b->event[i]].op) == loc)
			return b->event[i];
	return r->m.last[loc];
}

static struct lp_value value_of(const struct run *r, uint32_t write, uint32_t loc)
{
	return write == SEEN_INITIAL ? lp_value(r->script->locs.at[loc].initial)
				     : r->events.at[write].answer.wrote;
}

static void step_read(struct run *r, lp_tid t, const struct lp_op *op)
{
	const uint32_t loc = loc_of(op), write = visible_write(r, t, loc);
	struct lp_response answer = { .value = value_of(r, write, loc) };
	const bool holds = lp_op_holds(op, answer.value);

	if (op->when != LP_ALWAYS && op->otherwise != LP_ELSE_FAIL && !holds)
		return;
	if (op->kind == LP_OP_RMW) {
		answer.failed = !holds;
		if (holds)
			answer.wrote = lp_op_result(op, answer.value);
	}
	perform(r, t, op, answer, write);
	if (op->kind == LP_OP_RMW && op->weak && holds && r->options->weak_fails)
		perform(r, t, op, (struct lp_response){ .value = answer.value, .failed = true }, write);
}

/* Instructions that wait until the thread's stores are in memory. */
static bool needs_empty_buffer(const struct lp_op *op)
{
	return op->kind == LP_OP_RMW || op->kind == LP_OP_SPAWN || op->kind == LP_OP_JOIN ||
	       (op->kind == LP_OP_FENCE && op->order == LP_SC);
}

static void step_thread(struct run *r, lp_tid t)
{
	const struct lp_op *pending = lp_program_pending(r->program, t);

	if (!pending)
		return;
	const struct lp_op op = *pending;
	const struct buffer *b = &r->m.buffer[t];

	if (op.kind == LP_OP_ERROR)
		r->result->assertion = true;
	if (b->drains || (b->count && needs_empty_buffer(&op)))
		return;
	switch ((enum lp_op_kind)op.kind) {
	case LP_OP_LOAD:
	case LP_OP_RMW:
		step_read(r, t, &op);
		break;
	case LP_OP_STORE:
	case LP_OP_FENCE:
	case LP_OP_SPAWN:
	case LP_OP_YIELD:
		perform(r, t, &op, (struct lp_response){ .wrote = op.operand }, SEEN_NONE);
		break;
	case LP_OP_JOIN:
		if (lp_program_pending(r->program, op.target)->kind == LP_OP_END &&
		    !r->m.buffer[op.target].count)
			perform(r, t, &op, (struct lp_response){ .failed = false }, SEEN_NONE);
		break;
	case LP_OP_CHOOSE:
	case LP_OP_CALL:
		for (uint32_t i = 0; i < op.count; i++)
			perform(r, t, &op, (struct lp_response){ .value = lp_value(i) }, SEEN_NONE);
		break;
	default:
		break;
	}
}

/* Everything has drained: is it the end, or are all that are left waiting? */
static void judge(struct run *r)
{
	uint32_t ended = 0, waiting = 0, joins = 0;

	for (lp_tid t = 0; t < r->script->blocks.count; t++) {
		const struct lp_op *op = lp_program_pending(r->program, t);

		if (r->m.buffer[t].count || !op)
			return;
		ended += op->kind == LP_OP_END;
		joins += op->kind == LP_OP_JOIN;
		if ((op->kind == LP_OP_LOAD || op->kind == LP_OP_RMW) && op->when != LP_ALWAYS &&
		    op->otherwise == LP_ELSE_WAIT) {
			const uint32_t loc = loc_of(op);
			waiting += !lp_op_holds(op, value_of(r, r->m.last[loc], loc));
		}
	}
	if (ended == r->script->blocks.count)
		LP_PUSH(&r->result->graphs,
			describe(r->script, r->events.at, r->events.count, r->options->plain));
	else if (waiting && ended + waiting + joins == r->script->blocks.count)
		r->result->stuck = true;
}

static void step(struct run *r)
{
	if (r->result->too_large || seen_before(r))
		return;
	if (r->states > MAX_STATES) {
		r->result->too_large = true;
		return;
	}
	judge(r);
	for (lp_tid t = 0; t < r->script->blocks.count; t++) {
		step_thread(r, t);
		if (r->m.buffer[t].count)
			flush(r, t);
	}
}

static enum lp_plain all_are_events(struct lp_observer *o, const struct lp_plain_range *range, struct lp_plain_piece *piece,
				    struct lp_program_error *error)
{
	(void)o, (void)error;
	*piece = (struct lp_plain_piece){ range->size, true };
	return LP_PLAIN_EVENT;
}

void operational_enumerate(const struct lp_script *script, const struct naive_options *options,
			   struct naive_result *out)
{
	struct lp_observer observer = { .access = all_are_events };
	struct run r = { .script = script, .options = options, .result = out };

	*out = (struct naive_result){ 0 };
	if (script->blocks.count > MAX_THREADS || script->locs.count > MAX_LOCS || options->spin)
		LP_BUG("this is no program for the operational machines");
	for (uint32_t l = 0; l < MAX_LOCS; l++)
		r.m.last[l] = SEEN_INITIAL;
	r.visited.room = 2 * MAX_STATES + 1;
	r.visited.at = lp_alloc_zero(r.visited.room, sizeof *r.visited.at);
	r.program = lp_script_open(script);
	r.program->observer = &observer;
	lp_program_reset(r.program);
	step(&r);
	/* The same graph may be left behind by different states of nothing: none here,
	 * but a graph that differs only in what is not shown is the same. */
	graph_set_sort(&out->graphs);
	out->states = r.states;
	lp_script_close(r.program);
	lp_free(r.visited.at);
	lp_free(r.events.at);
}
