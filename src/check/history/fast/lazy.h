/* lazy.h -- queues, stacks, priority queues and pools with repeated values or unknown results.
 *
 * The quick methods (fast_*.c) need distinct values, known results, and no calls that only look at the object (observers).
 * The general search has none of these restrictions.  But it has to choose in which order overlapping insertions took
 * effect, long before a removal shows which order was correct.  Here insertions are never placed.  A run consists of
 *
 *   - the values that have left, and the open calls that have taken effect;
 *   - what this implies about the times at which the values that are still present can have been inserted (lazy_rules.c).
 *
 * Runs that agree in both parts are merged.  If two runs a and b differ only in the second part, and a allows every time of
 * insertion that b allows, only a is kept.  The number of runs depends on how many calls are open at a time, not on how
 * many values are in the object.
 *
 * Time.  We assume that every call takes effect just before the end of some call.  This loses nothing: a linearization
 * stays one if its calls are moved to such times without changing their order (Lowe, "Testing for linearizability",
 * CCPE 2017).  So, just before each end, some of the open calls take effect, one after the other; the call that ends must
 * be among them, unless it took effect earlier.
 *
 * Claim: the answer is exact, unless the method ignores a bound on the number of values (lp_lazy.relaxed).  Then
 * "correct" means correct without the bound.
 *
 * Conditions, and where they are used:
 *   L1  given the removals, the times of insertion are independent of each other: each value needs a time that the
 *       rules allow, and no two values compete for a time;
 *   L2  if several equal values may leave: in queues, priority queues and pools, the one whose insertion ended first is
 *       at least as good as the others; in stacks, all of them are tried;
 *   L3  if the value of a removal was inserted only once, and no observer overlaps with the removal, the removal takes
 *       effect as soon as it can.  The reason is that no other call can return this value, and that a value that has
 *       left restricts no other call.  In stacks, L3 also requires that the insertion of the value has not ended, because
 *       then the removal makes no hole (lazy_rules.c);
 *   L4  a value that is inserted again after it was certainly removed is treated as a new value.  It was certainly
 *       removed if no call on it is open, and as many removals as insertions of it have returned; then no removal
 *       with an unknown result can have taken it.
 */
#ifndef LP_CHECK_HISTORY_FAST_LAZY_H
#define LP_CHECK_HISTORY_FAST_LAZY_H

#include "check/history/fast/fast.h"
#include "check/history/search.h"

/* Is the kind of the problem a queue, a stack, a priority queue or a pool? */
bool lp_lazy_is_for(const struct lp_problem *p);

/* Makes an equivalent problem `plain` for the quick methods: repeated values get new names (L4), calls that saw an empty
 * object become removals that found nothing, and bounds that are never reached are dropped.  Returns false if there is no
 * such problem.  Operation i of `plain` is operation ops[i] of `p`. */
bool lp_lazy_plain(const struct lp_problem *p, struct lp_problem *plain, uint32_t *ops);

/* Decides the problem.  Returns false if the method does not apply.  If a limit is reached, the finding is LP_UNDECIDED,
 * and `*limit` names the limit.  Adds the number of steps to `*steps`.  If the finding is LP_WRONG and there is a simple
 * witness, the function fills in `w`. */
bool lp_lazy_decide(const struct lp_problem *p, const struct lp_search_limits *limits,
		    enum lp_finding *finding, struct lp_witness *w, const char **limit, uint64_t *steps);

#endif
