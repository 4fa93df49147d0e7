/* forecast.h -- estimates the cost of an exploration before it is made (--plan).
 *
 * A program, or each client of an object, is explored for a short time.  If the exploration ends in that time, its counts are exact.
 * If not, it has shown how long a graph takes, and samples of the exploration's tree (explore/sample) estimate how many graphs there
 * are.  If an object has too many clients, some are drawn at random for each number of calls, and represent the others.
 *
 * An estimate is given as a range.  The range comes from the variance between rounds of sampling, and between clients.  Estimates from
 * samples of trees are skewed: mostly somewhat too low, and sometimes far too high.  So the range is computed from the logarithms of
 * the estimates, and is wide.
 */
#ifndef LP_VERIFY_TASK_FORECAST_H
#define LP_VERIFY_TASK_FORECAST_H

#include "report/results/forecast_report.h"
#include "verify/task/check_object.h"

/* Estimate the cost for the program of an open task, or for the clients of an open check.  lp_forecast_clients() returns false if
 * the options are inconsistent. */
void lp_forecast_program(struct lp_task *, struct lp_forecast_report *);
bool lp_forecast_clients(struct lp_check *, struct lp_forecast_report *, struct lp_error *);

#endif
