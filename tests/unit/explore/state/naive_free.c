/* naive_free.c -- do calls return?  By definition, on every state and every edge.
 *
 * What goes on forever stays within some set of states.  The largest such set is what is
 * left when all states are taken away, again and again, from which it cannot be done within
 * the set (Emerson and Lei, 1986). */
#include "naive_free.h"

#include <stdlib.h>
#include <string.h>

#include "object.h"

enum { THREADS = 3, IDLE = 255 };

struct state {
	uint8_t memory[WORDS];
	struct process process[THREADS];
};

struct naive_graph {
	const struct object *object;
	uint32_t threads, most, count, edge_count, edge_room;
	struct state *states;
	struct naive_edge *edges;
	bool *in, *reaches; /* by state: it is in the set; from it the aim can be come to */
	bool too_large;
};

static uint32_t number(struct naive_graph *g, const struct state *s)
{
	uint32_t i = 0;

	while (i < g->count && memcmp(&g->states[i], s, sizeof *s))
		i++;
	if (i == g->most)
		g->too_large = true;
	else if (i == g->count)
		g->states[g->count++] = *s;
	return i;
}

static void add_edge(struct naive_graph *g, struct naive_edge e, const struct state *s)
{
	e.to = number(g, s);
	if (g->too_large)
		return;
	if (g->edge_count == g->edge_room) {
		g->edge_room = 2 * g->edge_room + 64;
		g->edges = realloc(g->edges, sizeof *g->edges * g->edge_room);
	}
	g->edges[g->edge_count++] = e;
}

static void step(struct naive_graph *g, uint32_t from, uint32_t t)
{
	struct state s = g->states[from];
	struct lp_response answer = { .failed = false };
	struct naive_edge e = { .from = from, .thread = (uint8_t)t };

	if (s.process[t].call == IDLE) {
		e.calls = true;
		for (uint32_t c = 0; c < g->object->count; c++) {
			s.process[t] = object_begin(g->object, c);
			e.call = (uint8_t)c;
			add_edge(g, e, &s);
		}
		return;
	}
	const struct lp_op op = object_op(g->object, s.process[t]);
	if (op.kind == LP_OP_RETURN) {
		s.process[t] = (struct process){ IDLE, 0, 0 };
		e.returns = true;
		add_edge(g, e, &s);
		return;
	}
	uint8_t *word = &s.memory[(op.loc - BASE) / 8];
	answer.value = lp_value(*word);
	answer.failed = op.kind == LP_OP_RMW && !lp_op_holds(&op, answer.value);
	e.waits = answer.failed && op.otherwise == LP_ELSE_WAIT;
	if (!e.waits) {
		if (op.kind == LP_OP_STORE)
			*word = (uint8_t)op.operand.lo;
		if (op.kind == LP_OP_RMW && !answer.failed)
			*word = (uint8_t)lp_op_result(&op, answer.value).lo;
		s.process[t] = object_after(g->object, s.process[t], &answer);
	}
	add_edge(g, e, &s);
}

struct naive_graph *naive_graph_open(const struct object *o, uint32_t threads, uint32_t most)
{
	struct naive_graph *g = calloc(1, sizeof *g);
	struct state first;

	g->object = o;
	g->threads = threads;
	g->most = most;
	g->states = calloc(most, sizeof *g->states);
	g->in = calloc(most, sizeof *g->in);
	g->reaches = calloc(most, sizeof *g->reaches);
	memset(&first, 0, sizeof first);
	memcpy(first.memory, o->initial, sizeof first.memory);
	for (uint32_t t = 0; t < THREADS; t++)
		first.process[t] = (struct process){ IDLE, 0, 0 };
	number(g, &first);
	for (uint32_t i = 0; i < g->count && !g->too_large; i++)
		for (uint32_t t = 0; t < threads && !g->too_large; t++)
			step(g, i, t);
	if (!g->too_large)
		return g;
	naive_graph_close(g);
	return NULL;
}

void naive_graph_close(struct naive_graph *g)
{
	if (!g)
		return;
	free(g->states);
	free(g->edges);
	free(g->in);
	free(g->reaches);
	free(g);
}

uint32_t naive_graph_size(const struct naive_graph *g) { return g->count; }

const struct naive_edge *naive_graph_edges(const struct naive_graph *g, uint32_t *count)
{
	*count = g->edge_count;
	return g->edges;
}

uint32_t naive_graph_busy(const struct naive_graph *g, uint32_t state)
{
	uint32_t busy = 0;

	for (uint32_t t = 0; t < g->threads; t++)
		busy |= (uint32_t)(g->states[state].process[t].call != IDLE) << t;
	return busy;
}

/* ---- what goes on forever ---- */

enum { NO_THREAD = THREADS };

/* No call returns (NO_THREAD), or that of one thread does not; perhaps only that thread steps. */
struct contrary {
	uint32_t whose;
	bool alone;
};

static bool is_allowed(const struct naive_graph *g, const struct contrary *c, const struct naive_edge *e)
{
	if (!g->in[e->from] || !g->in[e->to] || (c->alone && e->thread != c->whose))
		return false;
	return !e->returns || (c->whose != NO_THREAD && e->thread != c->whose);
}

/* Keeps the states from which a step of that thread can be come to, or with `or_idle` a state
 * in which it is in no call.  False if nothing has changed. */
static bool keep_reaching(struct naive_graph *g, const struct contrary *c, uint32_t thread,
			  bool or_idle)
{
	bool more = true, changed = false;

	memset(g->reaches, 0, g->count);
	for (uint32_t i = 0; i < g->count; i++)
		g->reaches[i] = or_idle && g->in[i] && g->states[i].process[thread].call == IDLE;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < g->edge_count; i++) {
			const struct naive_edge *e = &g->edges[i];
			if (g->reaches[e->from] || !is_allowed(g, c, e) ||
			    !(thread == NO_THREAD || e->thread == thread || g->reaches[e->to]))
				continue;
			g->reaches[e->from] = more = true;
		}
	}
	for (uint32_t i = 0; i < g->count; i++) {
		changed |= g->in[i] && !g->reaches[i];
		g->in[i] &= g->reaches[i];
	}
	return changed;
}

static bool goes_on(struct naive_graph *g, const struct contrary *c, bool fair)
{
	bool changed = true, any = false;

	for (uint32_t i = 0; i < g->count; i++)
		g->in[i] = c->whose == NO_THREAD || g->states[i].process[c->whose].call != IDLE;
	while (changed) {
		changed = keep_reaching(g, c, c->whose, false);
		for (uint32_t t = 0; fair && t < g->threads; t++)
			changed |= keep_reaching(g, c, t, true);
	}
	for (uint32_t i = 0; i < g->count; i++)
		any |= g->in[i];
	return any;
}

bool naive_is_lock_free(struct naive_graph *g, bool fair)
{
	const struct contrary c = { .whose = NO_THREAD };

	return !goes_on(g, &c, fair);
}

static bool is_free(struct naive_graph *g, bool alone, bool fair)
{
	for (uint32_t t = 0; t < g->threads; t++) {
		const struct contrary c = { t, alone };
		if (goes_on(g, &c, fair))
			return false;
	}
	return true;
}

bool naive_is_wait_free(struct naive_graph *g, bool fair)
{
	return is_free(g, false, fair);
}

bool naive_is_obstruction_free(struct naive_graph *g)
{
	return is_free(g, true, false);
}
