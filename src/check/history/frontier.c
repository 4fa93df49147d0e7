/* frontier.c -- the operations that may come next. */
#include "check/history/frontier.h"

#include <string.h>

uint32_t lp_frontier_at(const struct lp_frontier *f, uint32_t priority)
{
	uint32_t low = 0, high = f->ready.count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (f->priority[f->ready.at[middle]] < priority)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add(struct lp_frontier *f, uint32_t op)
{
	const uint32_t at = lp_frontier_at(f, f->priority[op]);

	LP_RESERVE(&f->ready, 1);
	memmove(f->ready.at + at + 1, f->ready.at + at,
		sizeof *f->ready.at * (f->ready.count++ - at));
	f->ready.at[at] = op;
}

static void take_out(struct lp_frontier *f, uint32_t op)
{
	const uint32_t at = lp_frontier_at(f, f->priority[op]);

	memmove(f->ready.at + at, f->ready.at + at + 1,
		sizeof *f->ready.at * (--f->ready.count - at));
}

uint32_t lp_frontier_place(struct lp_frontier *f, uint32_t op)
{
	const uint32_t mark = f->fired.count;

	take_out(f, op);
	f->placed++;
	LP_PUSH(&f->fired, op);
	for (uint32_t at = mark; at < f->fired.count; at++) {
		const uint32_t done = f->fired.at[at];
		for (uint32_t i = f->order->first[done]; i < f->order->first[done + 1]; i++) {
			const uint32_t next = f->order->next[i];
			if (--f->before[next])
				continue;
			if (next < f->count) {
				f->since[next] = f->placed;
				add(f, next);
			} else {
				LP_PUSH(&f->fired, next);
			}
		}
	}
	return mark;
}

void lp_frontier_take_back(struct lp_frontier *f, uint32_t op, uint32_t mark)
{
	while (f->fired.count > mark) {
		const uint32_t done = f->fired.at[--f->fired.count];
		for (uint32_t i = f->order->first[done]; i < f->order->first[done + 1]; i++) {
			const uint32_t next = f->order->next[i];
			if (!f->before[next]++ && next < f->count)
				take_out(f, next);
		}
	}
	f->placed--;
	add(f, op);
}

static void set_priorities(struct lp_frontier *f, const struct lp_problem *p)
{
	uint32_t next = 0;

	for (uint32_t rank = 0; rank < p->ranks; rank++)
		if (p->events[rank] & 1)
			f->priority[p->events[rank] / 2] = next++;
	for (uint32_t rank = 0; rank < p->ranks; rank++)
		if (lp_op_is_pending(&p->ops[p->events[rank] / 2]))
			f->priority[p->events[rank] / 2] = next++;
}

void lp_frontier_open(struct lp_frontier *f, const struct lp_problem *p,
		      const struct lp_precedence *order)
{
	*f = (struct lp_frontier){ .order = order, .count = p->count };
	f->before = lp_alloc(sizeof *f->before * order->nodes);
	memcpy(f->before, order->before, sizeof *f->before * order->nodes);
	f->priority = lp_alloc(sizeof *f->priority * p->count);
	f->since = lp_alloc_zero(p->count, sizeof *f->since);
	set_priorities(f, p);
	LP_RESERVE(&f->ready, 1); /* never NULL, so that nothing may be moved */
	for (uint32_t i = 0; i < p->count; i++)
		if (!order->before[i])
			add(f, i);
}

void lp_frontier_close(struct lp_frontier *f)
{
	lp_free(f->before);
	lp_free(f->priority);
	lp_free(f->since);
	lp_free(f->ready.at);
	lp_free(f->fired.at);
	*f = (struct lp_frontier){ 0 };
}
