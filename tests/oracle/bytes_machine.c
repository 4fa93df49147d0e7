/* bytes_machine.c -- memory of bytes, and store buffers; see bytes.h. */
#include "bytes.h"

#include "base/error.h"
#include "visited.h"

#include <string.h>

#define MAX_THREADS 5
#define MAX_LOCS 4
#define WIDTH 8
#define MAX_EVENTS 40
#define MAX_BUFFER 12
#define MAX_STATES 60000
#define NOTHING UINT32_MAX /* instead of an event: the initial value */

struct event {
	struct lp_op op;
	struct lp_response answer;
	lp_tid thread;
	uint32_t number;               /* in its thread, from 1 */
	uint32_t source[WIDTH];        /* of each byte that it reads */
	uint32_t clock[MAX_THREADS];   /* events that happen before it, and itself */
};

/* What is copied at each step; the program saves itself. */
struct machine {
	uint32_t memory[MAX_LOCS][WIDTH]; /* the event whose write is there */
	uint32_t buffer[MAX_THREADS][MAX_BUFFER], buffered[MAX_THREADS]; /* oldest first */
	bool drains[MAX_THREADS];         /* a seq_cst store is in it: nothing more until empty */
	uint32_t clock[MAX_THREADS][MAX_THREADS];
	uint32_t ended[MAX_THREADS];
};

struct run {
	struct lp_observer observer;
	const struct lp_script *script;
	enum lp_model model;
	struct bytes_result *result;
	struct lp_program *program;
	struct machine m;
	struct event event[MAX_EVENTS];
	uint32_t count;
	struct visited visited;
};

static uint32_t loc_of(const struct lp_op *op)
{
	return (uint32_t)((op->loc - lp_script_address(0)) / 64);
}

static uint32_t byte_of(const struct lp_op *op)
{
	return (uint32_t)((op->loc - lp_script_address(0)) % 64);
}

static bool is_access(const struct lp_op *op)
{
	return op->kind == LP_OP_LOAD || op->kind == LP_OP_STORE || op->kind == LP_OP_RMW;
}

static bool writes(const struct event *e)
{
	return e->op.kind == LP_OP_STORE || (e->op.kind == LP_OP_RMW && !e->answer.failed);
}

static bool covers(const struct event *e, uint32_t loc, uint32_t byte)
{
	return loc_of(&e->op) == loc && byte - byte_of(&e->op) < e->op.size;
}

/* ---- states seen ---- */

static uint64_t name_of(const struct run *r, uint32_t e)
{
	return e == NOTHING ? NOTHING : r->event[e].thread * UINT64_C(1000) + r->event[e].number;
}

static bool seen_before(struct run *r)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	for (lp_tid t = 0; t < r->script->blocks.count; t++) {
		lp_fingerprint_word(&f, 77);
		for (uint32_t i = 0; i < r->count; i++) {
			if (r->event[i].thread != t)
				continue;
			lp_fingerprint_word(&f, r->event[i].answer.failed);
			for (uint32_t b = 0; b < WIDTH; b++)
				lp_fingerprint_word(&f, name_of(r, r->event[i].source[b]));
		}
		lp_fingerprint_word(&f, 78);
		for (uint32_t i = 0; i < r->m.buffered[t]; i++)
			lp_fingerprint_word(&f, name_of(r, r->m.buffer[t][i]));
		lp_fingerprint_word(&f, r->m.drains[t]);
	}
	for (uint32_t l = 0; l < r->script->locs.count; l++)
		for (uint32_t b = 0; b < WIDTH; b++)
			lp_fingerprint_word(&f, name_of(r, r->m.memory[l][b]));
	return !visited_add(&r->visited, f);
}

/* ---- accesses ---- */

static bool is_ordered(const struct event *a, const struct event *b)
{
	return b->clock[a->thread] >= a->number || a->clock[b->thread] >= b->number;
}

static void look_for_race(struct run *r, const struct event *e)
{
	for (uint32_t i = 0; i < r->count; i++) {
		const struct event *d = &r->event[i];
		if (is_access(&d->op) && d->op.loc < e->op.loc + e->op.size && e->op.loc < d->op.loc + d->op.size &&
		    (writes(d) || writes(e)) && (d->op.order == LP_PLAIN || e->op.order == LP_PLAIN) &&
		    !is_ordered(d, e))
			r->result->race = true;
	}
}

static void step(struct run *r);

static void commit(struct run *r, uint32_t e)
{
	const struct lp_op *op = &r->event[e].op;

	for (uint32_t i = 0; i < op->size; i++)
		r->m.memory[loc_of(op)][byte_of(op) + i] = e;
}

static void flush(struct run *r, lp_tid t)
{
	const struct machine saved = r->m;
	const uint32_t e = r->m.buffer[t][0];

	memmove(r->m.buffer[t], r->m.buffer[t] + 1, sizeof r->m.buffer[t] - sizeof e);
	if (!--r->m.buffered[t])
		r->m.drains[t] = false;
	commit(r, e);
	step(r);
	r->m = saved;
}

static void join(uint32_t *to, const uint32_t *from)
{
	for (uint32_t t = 0; t < MAX_THREADS; t++)
		to[t] = to[t] > from[t] ? to[t] : from[t];
}

/* What happens before the event, from its sources. */
static void order(struct run *r, struct event *e)
{
	uint32_t *clock = r->m.clock[e->thread];

	e->number = ++clock[e->thread];
	for (uint32_t b = 0; b < WIDTH; b++)
		if (e->source[b] != NOTHING && e->op.order != LP_PLAIN &&
		    r->event[e->source[b]].op.order != LP_PLAIN)
			join(clock, r->event[e->source[b]].clock);
	if (e->op.kind == LP_OP_SPAWN)
		join(r->m.clock[e->op.target], clock);
	if (e->op.kind == LP_OP_JOIN)
		join(clock, r->m.clock[e->op.target]);
	memcpy(e->clock, clock, sizeof e->clock);
}

static void perform(struct run *r, const struct event *proto)
{
	const struct machine saved = r->m;
	const lp_tid t = proto->thread;
	const uint32_t number = r->count;

	if (r->count == MAX_EVENTS || r->m.buffered[t] == MAX_BUFFER) {
		r->result->too_large = true;
		return;
	}
	struct event *e = &r->event[number];
	*e = *proto;
	order(r, e);
	if (is_access(&e->op))
		look_for_race(r, e);
	r->count++;
	if (writes(e) && e->op.kind == LP_OP_STORE && r->model == LP_MODEL_TSO) {
		r->m.buffer[t][r->m.buffered[t]++] = number;
		r->m.drains[t] |= e->op.order == LP_SC;
	} else if (writes(e)) {
		commit(r, number);
	}
	const uint32_t mark = r->program->class->save(r->program);
	lp_program_resume(r->program, t, &proto->answer);
	step(r);
	r->program->class->restore(r->program, mark);
	r->program->class->forget(r->program, mark);
	r->count = number;
	r->m = saved;
}

static uint8_t value_of(const struct run *r, uint32_t e, uint32_t loc, uint32_t byte)
{
	const uint64_t value = e == NOTHING ? r->script->locs.at[loc].initial : r->event[e].answer.wrote.lo;
	return (uint8_t)(value >> 8 * (byte - (e == NOTHING ? 0 : byte_of(&r->event[e].op))));
}

static void read_bytes(const struct run *r, struct event *e)
{
	const uint32_t loc = loc_of(&e->op), from = byte_of(&e->op);
	uint64_t value = 0;

	for (uint32_t b = from; b < from + e->op.size; b++) {
		e->source[b] = r->m.memory[loc][b];
		for (uint32_t i = r->m.buffered[e->thread]; i-- > 0;) {
			const uint32_t store = r->m.buffer[e->thread][i];
			if (covers(&r->event[store], loc, b)) {
				e->source[b] = store;
				break;
			}
		}
		value |= (uint64_t)value_of(r, e->source[b], loc, b) << 8 * (b - from);
	}
	e->answer.value = lp_value(value);
}

static bool needs_empty_buffer(const struct lp_op *op)
{
	return op->kind == LP_OP_RMW || op->kind == LP_OP_SPAWN || op->kind == LP_OP_JOIN ||
	       (op->kind == LP_OP_FENCE && op->order == LP_SC);
}

static void step_thread(struct run *r, lp_tid t)
{
	const struct lp_op *pending = lp_program_pending(r->program, t);

	if (!pending || pending->kind == LP_OP_END || pending->kind == LP_OP_BLOCK ||
	    r->m.drains[t] || (r->m.buffered[t] && needs_empty_buffer(pending)))
		return;
	struct event e = { .op = *pending, .thread = t };
	memset(e.source, 0xff, sizeof e.source);
	if (e.op.kind == LP_OP_JOIN && (lp_program_pending(r->program, e.op.target)->kind != LP_OP_END ||
					r->m.buffered[e.op.target]))
		return;
	if (e.op.kind == LP_OP_LOAD || e.op.kind == LP_OP_RMW) {
		read_bytes(r, &e);
		if (e.op.otherwise != LP_ELSE_FAIL && !lp_op_holds(&e.op, e.answer.value))
			return;
	}
	if (e.op.kind == LP_OP_RMW) {
		e.answer.failed = !lp_op_holds(&e.op, e.answer.value);
		e.answer.wrote = lp_op_result(&e.op, e.answer.value);
	} else if (e.op.kind == LP_OP_STORE) {
		e.answer.wrote = e.op.operand;
	}
	perform(r, &e);
}

static void step(struct run *r)
{
	bool ended = true;

	if (r->result->too_large || seen_before(r))
		return;
	if (r->visited.count > MAX_STATES) {
		r->result->too_large = true;
		return;
	}
	for (lp_tid t = 0; t < r->script->blocks.count; t++) {
		const struct lp_op *op = lp_program_pending(r->program, t);
		ended &= op && op->kind == LP_OP_END && !r->m.buffered[t];
	}
	if (ended) {
		const char *text = r->program->class->outcome(r->program);
		LP_PUSH(&r->result->outcomes, strdup(text ? text : ""));
		if (r->result->outcomes.count % 1024 == 0)
			graph_set_sort(&r->result->outcomes);
		return;
	}
	for (lp_tid t = 0; t < r->script->blocks.count; t++) {
		if (r->m.buffered[t])
			flush(r, t);
		step_thread(r, t);
	}
}

static enum lp_plain all_are_events(struct lp_observer *o, const struct lp_plain_range *range, struct lp_plain_piece *piece,
				    struct lp_program_error *error)
{
	(void)o, (void)error;
	*piece = (struct lp_plain_piece){ range->size, true };
	return LP_PLAIN_EVENT;
}

void bytes_run(const struct lp_script *script, enum lp_model model, struct bytes_result *out)
{
	struct run *r = lp_alloc_zero(1, sizeof *r);

	*out = (struct bytes_result){ .too_large = script->blocks.count > MAX_THREADS ||
						   script->locs.count > MAX_LOCS };
	if (!out->too_large) {
		r->observer.access = all_are_events;
		r->script = script;
		r->model = model;
		r->result = out;
		r->program = lp_script_open(script);
		r->program->observer = &r->observer;
		memset(r->m.memory, 0xff, sizeof r->m.memory);
		lp_program_reset(r->program);
		step(r);
		lp_script_close(r->program);
	}
	graph_set_sort(&out->outcomes);
	lp_free(r->visited.at);
	lp_free(r);
}

void bytes_drop(struct bytes_result *r)
{
	graph_set_drop(&r->outcomes);
}
