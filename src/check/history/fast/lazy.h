/* lazy.h -- queues, stacks, priority queues and pools of which little is known.
 *
 * The quick methods (fast_*.c) want distinct values, known results and no looks.  The search wants none of that,
 * but it has to decide in which order overlapping insertions took effect, long before it sees which
 * order was right.  Here insertions are never placed.  What is kept of a run is
 *
 *   - which values have left, and which of the open calls have taken effect;
 *   - what follows from that for the moments at which the values that are still there can have been
 *     inserted (lazy_rules.c).
 *
 * Runs that agree on both are as good as one; and a run that leaves all values all the moments that another one
 * leaves them, and differs in nothing else, is as good as both.  How many there are depends on the calls that are open at
 * a time, not on how many values are in the object.
 *
 * Time.  A call that takes effect is moved to just before the next end of any call, which changes no order (Lowe,
 * "Testing for linearizability", CCPE 2017).  So, at each end, some of the open calls take effect, one after the
 * other; the one that ends must be among those that did.
 *
 * Claim: the answer is exact, unless `relaxed`: then "right" only means that the bound was not looked at.
 *
 * Conditions, and where they are used:
 *   L1  the moments of insertion are independent of each other, given the removals: each value needs a moment that
 *       the rules allow, and no two values compete for one;
 *   L2  of equal values that may leave, one is at least as good as the others (queues, priority queues, pools: the
 *       one whose insertion ended first), or all are tried (stacks);
 *   L3  a removal may take effect as soon as it can, in queues, priority queues and pools, if its value was inserted once,
 *       so that no other call can return it, and if it overlaps no call that asks what is there: a value that has left
 *       restricts no other call.  In stacks also if its insertion has not ended: then it leaves no hole;
 *   L4  a value that comes again after it was certainly gone is another value: no call on it is open, and as many
 *       removals as insertions of it have returned.  Removals whose results are not known cannot have taken it, as
 *       the others have.
 */
#ifndef LP_CHECK_HISTORY_FAST_LAZY_H
#define LP_CHECK_HISTORY_FAST_LAZY_H

#include "check/history/fast/fast.h"
#include "check/history/search.h"

/* Is the kind one of these? */
bool lp_lazy_is_for(const struct lp_problem *p);

/* The same problem for the quick methods: values that come again have new names (L4), calls that found nothing
 * are removals that did, bounds that are never reached are none.  False if there is no such problem.  `ops[i]`
 * is the operation of `p` that operation i of `plain` was. */
bool lp_lazy_plain(const struct lp_problem *p, struct lp_problem *plain, uint32_t *ops);

/* Does it apply?  If so, decides; LP_UNDECIDED if a limit was reached, and `*limit` says which.  `*steps` counts.  The
 * witness is filled if there is a simple one. */
bool lp_lazy_decide(const struct lp_problem *p, const struct lp_search_limits *limits,
		    enum lp_finding *finding, struct lp_witness *w, const char **limit, uint64_t *steps);

#endif
