/* tickets.c -- a specification that says pair by pair what must be ordered: each ticket happens before the next one is
 * taken, and the count of tickets comes after nothing. */
#include <linchpin.h>
#include <stdatomic.h>

/* ---- the object ---- */

#ifndef TAKE
#define TAKE memory_order_acq_rel
#endif

static atomic_long next;

LP_METHOD(take)  { return atomic_fetch_add_explicit(&next, 1, TAKE); }
LP_METHOD(taken) { return atomic_load_explicit(&next, memory_order_relaxed); }

/* ---- the specification ---- */

static enum lp_answer take(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0]++);
}

static enum lp_answer taken(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0]);
}

static void begin(struct lp_state *s, const int64_t *param)
{
	(void)param;
	lp_state_push(s, 0);
}

enum { TAKE_ONE, COUNT };

static const struct lp_method methods[] = {
	[TAKE_ONE] = { "take", 0, LP_VALUE, 0, take },
	[COUNT] = { "taken", 0, LP_VALUE, LP_READS, taken },
};

static bool is_ordered(uint32_t first_method, const struct lp_spec_call *first, uint32_t then_method,
		       const struct lp_spec_call *then)
{
	return first_method == TAKE_ONE && then_method == TAKE_ONE && then->result[0] == first->result[0] + 1;
}

static const struct lp_kind tickets = {
	.name = "tickets", .about = "numbers that are handed out in order",
	.methods = methods, .method_count = 2, .begin = begin, .orders = is_ordered,
};
LP_SPEC_OWN(tickets)
