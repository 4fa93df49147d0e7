/* convert.h -- from the result of an explorer to the data of the reports. */
#ifndef LP_VERIFY_VIEW_CONVERT_H
#define LP_VERIFY_VIEW_CONVERT_H

struct lp_arena;
struct lp_exploration;
struct lp_explore_options;
struct lp_result;

/* Fills in those parts of the result that follow from the exploration; the caller adds subject, scope, seconds and
 * memory.  `output` is what the last execution printed, or NULL.  The result points into `arena` and `from`.
 *
 * The verdict is never stronger than that of the explorer.  If only a sample of the executions was explored, and no error was found, the
 * verdict is "inconclusive". */
void lp_convert_exploration(const struct lp_exploration *from,
			    const struct lp_explore_options *, const char *output,
			    struct lp_arena *, struct lp_result *);

#endif
