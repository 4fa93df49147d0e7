/* client_view.h -- the client of a violation, as the reports show it. */
#ifndef LP_VERIFY_VIEW_CLIENT_VIEW_H
#define LP_VERIFY_VIEW_CLIENT_VIEW_H

#include <stdbool.h>

#include <stdint.h>

struct lp_arena;
struct lp_harness;
struct lp_judge;
struct lp_plan_client;
struct lp_result_client;
struct lp_result_violation;
struct lp_step;

/* The client whose execution was the last, in the state in which it stopped.  `judged`: it
 * was found wrong by the judge, whose reasons are shown; `gap` says why calls are not
 * synchronised, if that is it (gap.h). */
const struct lp_result_client *lp_client_view(const struct lp_judge *, const struct lp_harness *,
					      const struct lp_plan_client *, bool judged,
					      const char *gap, struct lp_arena *);

/* Says of each step of the violation to which call of its client it belongs.  `all` are the
 * steps of the execution, with those that begin calls. */
void lp_client_view_steps(struct lp_result_violation *, const struct lp_step *all, uint32_t count,
			  struct lp_arena *);

#endif
