/* client_view.h -- the client of a violation, as the reports show it. */
#ifndef LP_VERIFY_VIEW_CLIENT_VIEW_H
#define LP_VERIFY_VIEW_CLIENT_VIEW_H

#include <stdbool.h>

#include <stdint.h>

struct lp_arena;
struct lp_exploration;
struct lp_harness;
struct lp_judge;
struct lp_plan_client;
struct lp_result_client;
struct lp_result_violation;
struct lp_step;
struct lp_task;

/* The client of the last execution, in the state in which it stopped.  `judged`: the judge found it
 * wrong, and its reasons are shown; `gap` says why calls are not synchronised, if that is the
 * reason (gap.h), or where threads wait (convert_waits.h). */
const struct lp_result_client *lp_client_view(const struct lp_judge *, const struct lp_harness *,
					      const struct lp_plan_client *, bool judged,
					      const char *gap, struct lp_arena *);

/* Fills in, for each step of the violation, the call of the client to which it belongs.  `all` are the
 * steps of the execution, including those that begin calls. */
void lp_client_view_steps(struct lp_result_violation *, const struct lp_step *all, uint32_t count,
			  struct lp_arena *);

/* Removes the steps of the client itself from the execution, keeping those of the object; and, if the calls are wrong
 * (`judged`), the steps after them. */
void lp_client_view_keep(struct lp_task *, struct lp_exploration *, bool judged);

#endif
