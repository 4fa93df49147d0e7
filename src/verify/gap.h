/* gap.h -- synchronisation that an object owes: which orders in the source are too weak.
 *
 * One call should happen before another one, and does not.  What the other one knows of it,
 * it knows by reads that do not synchronise: a release is missing, or an acquire, or both.  Of
 * all ways from the one to the other, along what happens before what and along such reads,
 * that is looked for where the fewest orders are missing.
 */
#ifndef LP_VERIFY_GAP_H
#define LP_VERIFY_GAP_H

struct lp_arena;
struct lp_exploration;
struct lp_judge;

/* "T2 reads at queue.c:41 (relaxed: acquire is needed) what T1 wrote at queue.c:30 (release)", of the
 * execution that was judged last, whose steps these are. */
const char *lp_gap_text(const struct lp_exploration *, const struct lp_judge *, struct lp_arena *);

#endif
