/* coherent.c -- coherence of an execution, from its definition. */
#include "verify/orders/coherent.h"

#include "base/alloc.h"
#include "explore/explore.h"

/* What a step reads and writes, as places in co of its location; 0 is the initial value. */
struct access {
	const struct lp_step *step;
	bool reads, writes;
	uint32_t read, written;
};

/* The place in co of what a step writes: the length of the chain that leads to it.  A chain longer than
 * there are steps is none. */
static uint32_t place(const struct lp_step *steps, uint32_t count, uint32_t step)
{
	uint32_t length = 0;

	for (; step < count && length <= count; step = steps[step].co_after)
		length++;
	return length;
}

static struct access access_of(const struct lp_step *steps, uint32_t count, uint32_t i)
{
	const struct lp_step *s = &steps[i];
	struct access a = { .step = s };

	a.reads = s->reads_from != LP_STEP_NONE;
	a.writes = s->co_after != LP_STEP_NONE;
	a.read = a.reads ? place(steps, count, s->reads_from) : 0;
	a.written = a.writes ? place(steps, count, i) : 0;
	return a;
}

static bool overlap(const struct lp_op *a, const struct lp_op *b)
{
	return a->loc < b->loc + b->size && b->loc < a->loc + a->size;
}

/* The event of a step: a read-modify-write is two, of which the write is the second. */
static bool happens_before(const struct lp_step *a, uint32_t event, const struct lp_step *b)
{
	return b->hb && a != b && a->thread < b->hb_width && b->hb[a->thread] > event;
}

/* Of two accesses to the same memory. */
static bool agree(const struct access *a, const struct access *b)
{
	const uint32_t write = a->step->event + (a->reads && a->writes);

	if (a->reads && happens_before(a->step, a->step->event, b->step) &&
	    ((b->reads && b->read < a->read) || (b->writes && b->written <= a->read)))
		return false;
	return !a->writes || !happens_before(a->step, write, b->step) ||
	       ((!b->reads || b->read >= a->written) && (!b->writes || b->written > a->written));
}

enum lp_coherence lp_coherent_steps(const struct lp_step *steps, uint32_t count, struct lp_arena *scratch)
{
	struct access *all = lp_arena_alloc(scratch, sizeof *all * (count + 1));
	bool undecided = false;

	for (uint32_t i = 0; i < count; i++)
		if (lp_op_is_access(&steps[i].op))
			all[i] = access_of(steps, count, i);
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < count && lp_op_is_access(&steps[i].op); k++) {
			const struct lp_op *a = &steps[i].op, *b = &steps[k].op;
			if (!lp_op_is_access(&steps[k].op) || !overlap(a, b))
				continue;
			if (a->loc != b->loc || a->size != b->size)
				undecided = true;
			else if (!agree(&all[i], &all[k]))
				return LP_NOT_COHERENT;
		}
	}
	return undecided ? LP_COHERENCE_UNDECIDED : LP_COHERENT;
}
