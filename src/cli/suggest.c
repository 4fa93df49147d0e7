/* suggest.c -- suggests stronger memory orders when `check` has found a violation. */
#include "cli/suggest.h"

#include "verify/orders/mend.h"
#include "verify/task/check_object.h"

/* How long a suggestion is looked for: by executions, mostly, so that it is the same on all machines. */
enum { EXECUTIONS = 10000 };
static const double SECONDS = 1;

/* Should linchpin search for stronger memory orders?  Only if the report shows the answer, and all executions are explored. */
static bool wants_suggestion(struct lp_check *c)
{
	static const enum lp_option_id not_with[] = { LP_OPT_NO_SUGGEST, LP_OPT_RANDOM, LP_OPT_PREEMPTIONS, LP_OPT_DELAYS, LP_OPT_ROUNDS,
						      LP_OPT_EXECUTIONS, LP_OPT_FIT, LP_OPT_ORDER, LP_OPT_AK };
	const char *reason;

	if (c->total.verdict != LP_VIOLATION || c->task.explore.model == LP_MODEL_SC ||
	    (lp_task_given(&c->task, LP_OPT_QUIET) && !lp_task_given(&c->task, LP_OPT_JSON) &&
	     !lp_task_given(&c->task, LP_OPT_HTML) && !lp_task_given(&c->task, LP_OPT_SARIF)))
		return false;
	for (size_t i = 0; i < sizeof not_with / sizeof *not_with; i++)
		if (lp_task_given(&c->task, not_with[i]))
			return false;
	return lp_check_verdict(c, &reason) == LP_RESULT_VIOLATION;
}

int lp_suggest_and_show(struct lp_check *c)
{
	struct lp_mend mend = { .state = LP_MEND_UNDECIDED };

	if (wants_suggestion(c)) {
		lp_mend_find(&mend, c, SECONDS, EXECUTIONS);
		c->mend = &mend;
	}
	const int status = lp_check_show(c);
	lp_mend_close(&mend);
	return status;
}
