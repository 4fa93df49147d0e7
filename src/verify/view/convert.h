/* convert.h -- from what an explorer returns to what the reports show. */
#ifndef LP_VERIFY_VIEW_CONVERT_H
#define LP_VERIFY_VIEW_CONVERT_H

struct lp_arena;
struct lp_exploration;
struct lp_explore_options;
struct lp_result;

/* Fills everything that follows from the exploration; subject, scope, seconds and
 * memory are the caller's.  `output` is what the last execution printed, or NULL.  The result points into `arena` and into `from`.
 *
 * The verdict is never stronger than the explorer's, and a sample without errors
 * is inconclusive. */
void lp_convert_exploration(const struct lp_exploration *from,
			    const struct lp_explore_options *, const char *output,
			    struct lp_arena *, struct lp_result *);

#endif
