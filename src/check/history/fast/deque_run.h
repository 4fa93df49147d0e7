/* deque_run.h -- a search for a linearization of a deque whose values are all different.
 *
 * Calls take effect just in time: when a call ends that has not taken effect, first some of the other open calls do, then
 * that one (Lowe, "Testing for linearizability", CCPE 2017).  The search is depth-first, and keeps a single deque, whose changes
 * it undoes when it goes back.  States that failed are remembered by fingerprints of (calls done, neighbours in the deque).  So
 * the cost of a call does not depend on the number of values in the deque.
 *
 * Every value is inserted once, so its removal is known in advance: the end, and the interval.
 *
 *   D1  An insertion is not tried if its value could not leave.  Look from the end where it is inserted.  If the value leaves by
 *       this end, the values further in that leave by this end must leave later, which their removal times must allow.  If
 *       it leaves by the other end, all the others must leave before it, by that other end.
 *   D2  An insertion is not tried before another open one, if the value of the latter would then be on top of it and, by D1,
 *       must not be.
 *   D3  A call that changes nothing takes effect as soon as it can.  If a linearization has it later, it can be moved here
 *       without affecting any other call.
 *   D4  A removal takes effect as soon as its value is at the right end, unless some call says that the deque was not empty, or
 *       was full.  If a linearization has it later, then values inserted at this end in between are on top of it and leave
 *       again, and operations at the other end never reach it; none of them is affected if it is already gone.
 *
 * D1 and D2 are necessary conditions and need not be complete, because a removal still checks that its value is at its end.  So
 * the search is exact if it ends.  To evaluate D1, two numbers are kept with the outermost values.
 */
#ifndef LP_CHECK_HISTORY_FAST_DEQUE_RUN_H
#define LP_CHECK_HISTORY_FAST_DEQUE_RUN_H

#include "check/history/fast/fast.h"
#include "spec/traits.h"

enum lp_deque_end { LP_DEQUE_FRONT, LP_DEQUE_BACK };

/* A problem of a deque, and which insertion belongs to which removal. */
struct lp_deque {
	const struct lp_problem *p;
	const struct lp_method_traits *methods;
	uint32_t *partner;  /* LP_NO_OP: none, or not known */
	bool may_be_taken;  /* there are removals with unknown results */
	bool tells_content; /* some call says that the deque was not empty, or was full */
};

enum lp_deque_act { LP_DEQUE_PUSH, LP_DEQUE_POP, LP_DEQUE_ASK };

/* What a method does, and at which end. */
static inline enum lp_deque_act lp_deque_act(const struct lp_deque *d, uint32_t op, enum lp_deque_end *end)
{
	const enum lp_verb verb = d->methods[d->p->ops[op].method].verb;

	*end = verb == LP_VERB_PUSH_BACK || verb == LP_VERB_POP_BACK ? LP_DEQUE_BACK : LP_DEQUE_FRONT;
	if (verb == LP_VERB_PUSH_FRONT || verb == LP_VERB_PUSH_BACK)
		return LP_DEQUE_PUSH;
	return verb == LP_VERB_POP_FRONT || verb == LP_VERB_POP_BACK ? LP_DEQUE_POP : LP_DEQUE_ASK;
}

enum lp_deque_answer { LP_DEQUE_RIGHT, LP_DEQUE_WRONG, LP_DEQUE_UNKNOWN };

struct lp_deque_found {
	uint32_t furthest; /* the last rank at which the search failed */
	struct {
		LP_VEC(uint32_t);
	} blamed;          /* operations on values that caused the failure there */
};

/* The answer is unknown after `failures` failures without progress.  The caller frees the vector in `found`. */
enum lp_deque_answer lp_deque_run(const struct lp_deque *d, uint32_t failures, struct lp_deque_found *found);

/* lp_fast_deque() with a first and a second number of failures, for tests. */
bool lp_fast_deque_within(const struct lp_problem *p, const uint32_t *failures, enum lp_finding *finding,
			  struct lp_witness *w);

#endif
