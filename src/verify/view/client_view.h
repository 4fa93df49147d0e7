/* client_view.h -- how reports show the client that caused a violation. */
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

/* Returns the client of the last execution.  It says for each call how far the call had come when the execution stopped.
 * If `judged`, the judge has rejected the execution, and the judge's reasons are included.  `gap` is a text
 * to be added to these reasons: why two calls are not synchronised (gap.h), or where threads
 * wait (convert_waits.h).  It may be NULL. */
const struct lp_result_client *lp_client_view(const struct lp_judge *, const struct lp_harness *,
					      const struct lp_plan_client *, bool judged,
					      const char *gap, struct lp_arena *);

/* Fills in, for each step of the violation, the call of the client to which it belongs.  `all` has the steps of the
 * execution as they were before lp_client_view_keep(), including the steps that begin calls. */
void lp_client_view_steps(struct lp_result_violation *, const struct lp_step *all, uint32_t count,
			  struct lp_arena *);

/* Removes the steps that belong to the client and not to the object: those that start a thread, wait for a thread, begin a call
 * or end a thread.  If `judged`, the results or the order of the calls are the violation, and the main thread's own work does not
 * matter.  In that case the function also removes all plain accesses of the main thread, and all its steps from its first join
 * on. */
void lp_client_view_keep(struct lp_task *, struct lp_exploration *, bool judged);

#endif
