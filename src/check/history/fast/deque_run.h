/* deque_run.h -- a search for a linearization of a deque whose values are all different.
 *
 * Calls take effect when a call ends that has not: first some of the others that are open, then that one (Lowe,
 * "Testing for linearizability", CCPE 2017).  The search is depth-first and keeps one deque, which is changed and changed
 * back; states that led nowhere are remembered by fingerprints of (calls done, neighbours in the deque).  So the cost of a
 * call does not depend on how many values there are.
 *
 * Every value is inserted once, so that its removal is known in advance: at which end, and from when to when.
 *
 *   D1  An insertion is not tried if its value could not leave.  Seen from the end where it comes in, what lies
 *       further in and leaves by that end leaves later, which must be possible by the times of the removals; if it leaves by
 *       the other end, all others have to leave before it, by that end, too.
 *   D2  An insertion is not tried before another one that is open, if that would then lie on top of it and, by D1,
 *       must not.
 *   D3  A call that changes nothing takes effect as soon as it can: moved from a later place to here, no other call
 *       notices.
 *   D4  A removal takes effect as soon as its value is at its end, if no call says that the deque was not empty, or
 *       full.  Let a linearization have it later: what happens in between at its end lies on top of the value and leaves
 *       again, what happens at the other end never reaches it; none of them notices if it is gone already.
 *
 * D1 and D2 are necessary conditions, and need not be complete: a removal still finds its value, or does not.  So the search is
 * exact if it ends.  It looks at the values that are in the deque through two numbers, kept with the outermost ones.
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
	bool may_be_taken;  /* there are removals whose results are not known */
	bool tells_content; /* a call says that there was a value, or no room */
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
	} blamed;          /* operations on values that stood in the way there */
};

/* Unknown after `failures` failures without having got further.  What stands in `found` is the caller's to free. */
enum lp_deque_answer lp_deque_run(const struct lp_deque *d, uint32_t failures, struct lp_deque_found *found);

/* lp_fast_deque() with a first and a second number of failures, for tests. */
bool lp_fast_deque_within(const struct lp_problem *p, const uint32_t *failures, enum lp_finding *finding,
			  struct lp_witness *w);

#endif
