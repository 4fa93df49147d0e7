/* precedence.c -- the orders of the properties, as graphs. */
#include "check/history/precedence.h"

#include "base/vec.h"
#include "check/sort.h"

struct edges {
	LP_VEC(uint32_t); /* from, to, from, to, ... */
};

static void add_edge(struct edges *e, uint32_t from, uint32_t to)
{
	LP_PUSH(e, from);
	LP_PUSH(e, to);
}

static void build(struct lp_precedence *o, uint32_t nodes, const uint32_t *pairs, uint32_t count)
{
	o->nodes = nodes;
	o->first = lp_alloc_zero((size_t)nodes + 2, sizeof *o->first);
	o->before = lp_alloc_zero(nodes, sizeof *o->before);
	o->next = lp_alloc(sizeof *o->next * count);
	for (uint32_t i = 0; i < count; i++) {
		o->first[pairs[2 * i] + 2]++;
		o->before[pairs[2 * i + 1]]++;
	}
	for (uint32_t n = 2; n <= nodes; n++)
		o->first[n] += o->first[n - 1];
	for (uint32_t i = 0; i < count; i++)
		o->next[o->first[pairs[2 * i] + 1]++] = pairs[2 * i + 1];
}

void lp_precedence_of(struct lp_precedence *o, uint32_t count, const uint32_t (*pairs)[2],
		 uint32_t pair_count)
{
	build(o, count, pair_count ? pairs[0] : NULL, pair_count);
	o->is_nested = false;
}

/* Adds a moment at each start that follows an end; for quiescence, only if no operation
 * is open.  The moments form a chain. */
static uint32_t moments(struct edges *e, const struct lp_problem *p, bool quiescent)
{
	uint32_t last = LP_NO_OP, node = p->count, open = 0;
	struct {
		LP_VEC(uint32_t);
	} ended = { 0 };

	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t op = p->events[rank] / 2;
		if (p->events[rank] & 1) {
			LP_PUSH(&ended, op);
			open--;
			continue;
		}
		if (ended.count && (!quiescent || !open)) {
			for (uint32_t i = 0; i < ended.count; i++)
				add_edge(e, ended.at[i], node);
			if (last != LP_NO_OP)
				add_edge(e, last, node);
			ended.count = 0;
			last = node++;
		}
		if (last != LP_NO_OP)
			add_edge(e, last, op);
		open++;
	}
	lp_free(ended.at);
	return node;
}

/* Orders the operations of each thread. */
static void chains(struct edges *e, const struct lp_problem *p)
{
	int64_t *threads = lp_alloc(sizeof *threads * p->count);
	uint32_t *number = lp_alloc(sizeof *number * p->count);

	for (uint32_t i = 0; i < p->count; i++)
		threads[i] = p->history->at[p->ops[i].call].thread;
	const uint32_t count = lp_sort_number_values(threads, p->count, number);
	uint32_t *last = lp_alloc(sizeof *last * count);
	for (uint32_t i = 0; i < count; i++)
		last[i] = LP_NO_OP;
	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t op = p->events[rank] / 2;
		if (p->events[rank] & 1)
			continue;
		if (last[number[op]] != LP_NO_OP)
			add_edge(e, last[number[op]], op);
		last[number[op]] = op;
	}
	lp_free(threads);
	lp_free(number);
	lp_free(last);
}

void lp_precedence_open(struct lp_precedence *o, const struct lp_problem *p, enum lp_property property)
{
	struct edges e = { 0 };
	uint32_t nodes = p->count;

	if (property == LP_SEQUENTIAL)
		chains(&e, p);
	else if (property != LP_SERIALIZABLE)
		nodes = moments(&e, p, property == LP_QUIESCENT);
	build(o, nodes, e.at, e.count / 2);
	o->is_nested = property != LP_SEQUENTIAL;
	lp_free(e.at);
}

void lp_precedence_close(struct lp_precedence *o)
{
	lp_free(o->first);
	lp_free(o->next);
	lp_free(o->before);
	*o = (struct lp_precedence){ 0 };
}
