/* lazy.h -- queues, stacks, priority queues and pools with repeated values or unknown results.
 *
 * The quick methods (fast_*.c) need distinct values, known results and no observers.  The general search needs none of
 * that, but it has to choose in which order overlapping insertions took effect long before a removal shows which order
 * was correct.  Here insertions are never placed.  A run consists of
 *
 *   - the values that have left, and the open calls that have taken effect;
 *   - what this implies about when the values that are still present can have been inserted (lazy_rules.c).
 *
 * Runs that agree in both are merged.  Suppose that two runs a and b differ only in the second part, and a allows every
 * moment of insertion that b allows.  Then only a is kept.  How many runs there are depends on how many calls are open
 * at a time, not on how many values are in the object.
 *
 * Time.  A call can be assumed to take effect just before the end of some call: calls that move there keep their order
 * (Lowe, "Testing for linearizability", CCPE 2017).  So, at each end, some of the open calls take effect, one after the other; the
 * call that ends must then have taken effect.
 *
 * Claim: the answer is exact, unless the method ignores a bound on the number of values (lp_lazy.relaxed).  Then
 * "correct" means correct without the bound.
 *
 * Conditions, and where they are used:
 *   L1  given the removals, the moments of insertion are independent of each other: each value needs a moment that
 *       the rules allow, and no two values compete for one;
 *   L2  if several equal values may leave: in queues, priority queues and pools, the one whose insertion ended first is
 *       at least as good as the others; in stacks, all of them are tried;
 *   L3  in queues, priority queues and pools, a removal may take effect as soon as it can, if its value was inserted
 *       only once, so that no other call can return the value, and if no observer overlaps with the removal.  The
 *       reason is that a value that has left restricts no other call.  In stacks this also requires that the insertion
 *       of the value has not ended, because then the removal makes no hole (lazy_rules.c);
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

/* Makes an equivalent problem for the quick methods: repeated values get new names (L4), calls that saw an empty object
 * become removals that found nothing, and bounds that are never reached are dropped.  Returns false if that is not
 * possible.  Operation i of `plain` is operation ops[i] of `p`. */
bool lp_lazy_plain(const struct lp_problem *p, struct lp_problem *plain, uint32_t *ops);

/* Decides the problem; false if the method does not apply.  If a limit is reached, the finding is LP_UNDECIDED, and
 * `*limit` names the limit.  Adds the number of steps to `*steps`.  The witness is filled in if there is a simple
 * one. */
bool lp_lazy_decide(const struct lp_problem *p, const struct lp_search_limits *limits,
		    enum lp_finding *finding, struct lp_witness *w, const char **limit, uint64_t *steps);

#endif
