/* forecast.h -- what an exploration will cost, before it is made (--plan).
 *
 * A program, or the program of each client, is explored for a moment.  If that is enough, what was counted is exact.  If
 * not, the walk says how long a graph takes, and the sampled tree (explore/sample) how many graphs there are.  If an object has more
 * clients than can be tried, some are drawn at random, by numbers of calls, and stand for the others.
 *
 * The range of a sum comes from the variance between rounds, and between clients.  Estimates from samples of trees are
 * skewed: mostly somewhat too low, and sometimes far too high.  So the range is computed from their logarithms, and is wide.
 */
#ifndef LP_VERIFY_TASK_FORECAST_H
#define LP_VERIFY_TASK_FORECAST_H

#include "report/results/forecast_report.h"
#include "verify/task/check_object.h"

/* The program of an open task; or the clients of an open check, false if the options make no sense. */
void lp_forecast_program(struct lp_task *, struct lp_forecast_report *);
bool lp_forecast_clients(struct lp_check *, struct lp_forecast_report *, struct lp_error *);

#endif
