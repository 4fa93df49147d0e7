/* gap.h -- missing synchronisation: which memory orders in the source are too weak.
 *
 * These functions are for the case that one call should happen before another, but does not.  Usually the second call has read from
 * the first, directly or through other writes, but not all of these reads synchronise, because a release or an acquire is missing.
 * A path from the first call to the second consists of reads, and of pairs of steps that are ordered by happens-before.  The
 * functions below describe a path on which the fewest orders are missing.
 */
#ifndef LP_VERIFY_GAP_H
#define LP_VERIFY_GAP_H

struct lp_arena;
struct lp_exploration;
struct lp_judge;

/* Describes the missing synchronisation of the execution that was judged last, as in "T2 reads at queue.c:41
 * (relaxed: acquire is needed) what T1 wrote at queue.c:30 (release)".  If there is no path, the text says so.
 * The exploration must contain the steps of this execution. */
const char *lp_gap_text(const struct lp_exploration *, const struct lp_judge *, struct lp_arena *);

/* Says why the two accesses of a race are not ordered, and what would order them; returns NULL if the
 * error is not a race. */
const char *lp_gap_race(const struct lp_exploration *, struct lp_arena *);

#endif
