/* check_objects.c -- `linchpin check`: one object, or several, one after the other. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/deliver.h"
#include "cli/many.h"
#include "cli/short_loops.h"
#include "cli/suggest.h"
#include "verify/task/check_object.h"
#include "verify/coverage/coverage.h"
#include "verify/task/forecast.h"

/* Takes the coverage before other memory orders are tried. */
static void take_coverage(struct lp_check *c)
{
	const struct lp_options *o = c->task.options;
	char text[64];

	lp_coverage_take(&c->task, &c->harness);
	snprintf(text, sizeof text, "up to %" PRIu32 " call%s", c->largest, c->largest == 1 ? "" : "s");
	if (!o->at[LP_OPT_CLIENT].given && !o->at[LP_OPT_SCHEDULES].given && !strchr(o->at[LP_OPT_OPS].given ?
	    o->at[LP_OPT_OPS].text : "", '='))
		c->task.by = lp_arena_strdup(&c->task.arena, text);
}

int lp_cli_check(const struct lp_options *options)
{
	struct lp_check c;
	struct lp_error error = { .hint = "" };
	int status;

	if (options->operand_count > 1)
		return lp_many(options, lp_cli_check);
	const bool open = lp_check_open(&c, options, &error);
	if (open && options->at[LP_OPT_PLAN].given) {
		struct lp_forecast_report forecast;
		status = lp_forecast_clients(&c, &forecast, &error) ? lp_deliver_forecast(options, &forecast) :
								      lp_deliver_error(options, &error);
	} else if (open && lp_check_explore(&c, &error)) {
		lp_task_part(&c.task);
		take_coverage(&c);
		lp_short_loops_check(&c);
		lp_check_trace(&c);
		status = lp_suggest_and_show(&c);
	} else {
		status = lp_deliver_error(options, &error);
	}
	lp_check_close(&c);
	return status;
}
