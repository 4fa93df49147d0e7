/* run.c -- `linchpin run`: explore a whole program.
 *
 * Compiles and loads the program, passes it to an explorer, and shows the result.
 */
#include "verify/task/forecast.h"
#include "verify/task/task.h"

#include "base/error.h"
#include "cli/deliver.h"
#include "cli/short_loops.h"
#include "report/trace.h"
#include "verify/checkpoint/checkpoint.h"

int lp_cli_run(const struct lp_options *options)
{
	struct lp_task task;
	struct lp_error error = { .hint = "" };
	int status;

	if (!lp_task_open(&task, options, false, &error) || !lp_checkpoint_open(&task, NULL, &error)) {
		status = lp_deliver_error(options, &error);
	} else if (lp_task_given(&task, LP_OPT_PLAN)) {
		struct lp_forecast_report forecast;
		lp_forecast_program(&task, &forecast);
		status = lp_deliver_forecast(options, &forecast);
	} else {
		struct lp_exploration exploration = { 0 };
		struct lp_result result;
		lp_task_begin(&task);
		lp_checkpoint_begin(task.checkpoint, &(struct lp_checkpoint_totals){ 0 });
		lp_task_explore(&task, &exploration);
		lp_checkpoint_end(task.checkpoint, &exploration);
		lp_task_part(&task);
		lp_task_spare_failures(&task, &exploration);
		lp_task_confirm(&task, &exploration);
		lp_task_end(&task);
		lp_short_loops_run(&task, &exploration);
		lp_task_trace(&task, &exploration, &(struct lp_trace){ .command = "run" });
		lp_task_result(&task, &exploration, &result);
		status = lp_task_show(&task, &result);
	}
	lp_task_close(&task);
	return status;
}
