/* deque_run.h -- a search for a linearization of a deque whose values are all different.
 *
 * Calls take effect just in time (Lowe, "Testing for linearizability", CCPE 2017): when a call that has not taken effect ends,
 * some of the other open calls take effect, and then this call does.  The search is depth-first, and keeps a single deque, whose
 * changes it undoes when it goes back.  It remembers failed states as fingerprints of the calls that have taken effect and of
 * the pairs of neighbours in the deque, which can be updated in constant time.  So the cost of a call does not depend on the
 * number of values in the deque.
 *
 * Every value is inserted once, so it is known in advance at which end it is removed, and during which interval.
 *
 *   D1  An insertion is not tried if its value could not leave again.  Suppose the value leaves by the end where it is inserted.
 *       Then the values beneath it that leave by this end must leave later, and the intervals of their removals must allow that.
 *       Suppose it leaves by the other end.  Then all values that are present must leave before it, by that other end.
 *   D2  Of two open insertions a and b, a is not tried before b if the value of b would then be on top of the value of a, and D1
 *       forbids that.
 *   D3  A call that changes nothing takes effect as soon as it can.  In a linearization where the call comes later, it can be
 *       moved to this point without affecting any other call.
 *   D4  A removal takes effect as soon as its value is at the right end, unless some call says that the deque was not empty, or
 *       was full.  In a linearization where the removal comes later, the values that are inserted at this end in the meantime
 *       are on top of the value and leave again, and operations at the other end never reach it.  None of these calls is
 *       affected if the value is already gone.
 *
 * D1 and D2 are necessary conditions and need not be complete, because a removal still checks that its value is at its end.  So
 * the search is exact if it ends.  To evaluate D1 quickly, each value in the deque has two further numbers (struct item in
 * deque_run.c).
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
	uint32_t furthest; /* the latest event of the problem (lp_problem.events) that the search reached before it failed */
	struct {
		LP_VEC(uint32_t);
	} blamed;          /* the operations on the values that caused the failure at that event */
};

/* The answer is LP_DEQUE_UNKNOWN if the search fails `failures` times without reaching a later event.  The caller frees the
 * vector in `found`. */
enum lp_deque_answer lp_deque_run(const struct lp_deque *d, uint32_t failures, struct lp_deque_found *found);

/* lp_fast_deque(), which calls lp_deque_run() at first with failures[0], and again with failures[1] if the answer is unknown.
 * For tests. */
bool lp_fast_deque_within(const struct lp_problem *p, const uint32_t *failures, enum lp_finding *finding,
			  struct lp_witness *w);

#endif
