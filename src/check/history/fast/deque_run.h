/* deque_run.h -- a search for a linearization of a deque whose values are all different.
 *
 * Calls take effect just in time (Lowe, "Testing for linearizability", CCPE 2017): when a call that has not taken effect ends,
 * some of the other open calls take effect, and then this call takes effect.  The search is depth-first.  It keeps a single
 * deque, and undoes the changes of the deque when it goes back.  A failed state is stored as a fingerprint of the calls that
 * have taken effect and of the pairs of neighbours in the deque.  Such a fingerprint is updated in constant time, so the cost of
 * a call does not depend on the number of values in the deque.
 *
 * Every value is inserted once, so it is known in advance at which end it is removed, and during which interval.
 *
 *   D1  An insertion is not tried if its value could not leave again.  If the value leaves by the end where it is inserted,
 *       the values beneath it that leave by the same end must leave later, and the intervals of their removals must allow
 *       that.  If the value leaves by the other end, all values that are present must leave before it, by that other end.
 *   D2  Of two open insertions a and b, a is not tried before b if D1 would then forbid b, because the value of b would be on
 *       top of the value of a.
 *   D3  A call that changes nothing takes effect as soon as it can.  In a linearization where the call comes later, it can be
 *       moved to this point without affecting any other call.
 *   D4  A removal takes effect as soon as its value is at the right end.  (This rule is not used if some call says that the
 *       deque was not empty, or was full.)  Consider a linearization where the removal comes later.  The values that are
 *       inserted at this end in the meantime are on top of the removed value and leave again, and operations at the other end
 *       never reach the removed value.  So none of these calls is affected if the value is gone earlier.
 *
 * D1 and D2 only skip insertions that must fail.  They need not find all such insertions, because a removal still checks that
 * its value is at its end.  So the search is exact if it ends.  To evaluate D1 quickly, each value in the deque has two further
 * numbers (struct item in deque_run.c).
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
	uint32_t *partner;  /* for each insertion its removal, and vice versa; LP_NO_OP: there is none, or it is not known */
	bool may_be_taken;  /* there are removals with unknown results */
	bool tells_content; /* some call says that the deque was not empty, or was full */
};

enum lp_deque_act { LP_DEQUE_PUSH, LP_DEQUE_POP, LP_DEQUE_ASK };

/* Returns what the operation does.  `*end` becomes the end at which it does this. */
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

/* Searches for a linearization.  The answer is LP_DEQUE_UNKNOWN if the search fails `failures` times without reaching a later
 * event than before.  The caller frees the vector in `found`. */
enum lp_deque_answer lp_deque_run(const struct lp_deque *d, uint32_t failures, struct lp_deque_found *found);

/* For tests: lp_fast_deque() with given limits.  It calls lp_deque_run() with failures[0] and, if the answer is unknown, again
 * with failures[1]. */
bool lp_fast_deque_within(const struct lp_problem *p, const uint32_t *failures, enum lp_finding *finding,
			  struct lp_witness *w);

#endif
