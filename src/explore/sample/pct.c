/* pct.c -- schedules with random priorities that change at a few random points. */
#include "explore/sample/pct.h"

#include "base/error.h"

/* A thread that runs for this many steps without a break may be waiting for another one in a way
 * that is not recognised. The bound on the probability assumes that no thread does. */
enum { HOGS = 1000 };

void lp_pct_begin(struct lp_pct *p, uint32_t depth, uint32_t length, struct lp_rng *rng)
{
	p->priority.count = p->change.count = 0;
	p->step = p->in_a_row = 0;
	p->lowest = 0;
	for (uint32_t i = 1; i < depth; i++)
		LP_PUSH(&p->change, lp_rng_below(rng, length ? length : 1));
}

/* A thread gets its priority when it is first met. It is above the priorities of all change points. */
static int64_t *priority_of(struct lp_pct *p, lp_tid t, struct lp_rng *rng)
{
	while (p->priority.count <= t)
		LP_PUSH(&p->priority, 0);
	if (!p->priority.at[t])
		p->priority.at[t] = (int64_t)(lp_rng_word(rng) >> 2) | INT64_C(1) << 32;
	return &p->priority.at[t];
}

static lp_tid highest(struct lp_pct *p, const lp_tid *able, uint32_t count, struct lp_rng *rng)
{
	lp_tid best = able[0];
	LP_HOLDS(count);

	for (uint32_t i = 0; i < count; i++) {
		const int64_t priority = *priority_of(p, able[i], rng);
		if (priority > p->priority.at[best])
			best = able[i];
	}
	LP_HOLDS(p->priority.at[best]);
	return best;
}

lp_tid lp_pct_pick(struct lp_pct *p, const lp_tid *able, uint32_t count, struct lp_rng *rng)
{
	lp_tid t = highest(p, able, count, rng);

	for (uint32_t i = 0; i < p->change.count; i++) {
		if (p->change.at[i] == p->step) {
			p->priority.at[t] = (int64_t)i + 1;
			t = highest(p, able, count, rng);
		}
	}
	p->in_a_row = t == p->last ? p->in_a_row + 1 : 0;
	if (p->in_a_row == HOGS) {
		p->priority.at[t] = --p->lowest;
		p->in_a_row = 0;
		t = highest(p, able, count, rng);
	}
	p->last = t;
	p->step++;
	return t;
}

void lp_pct_close(struct lp_pct *p)
{
	lp_free(p->priority.at);
	lp_free(p->change.at);
}
