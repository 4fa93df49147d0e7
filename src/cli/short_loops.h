/* short_loops.h -- when an execution is too long to explore, looks for violations in shorter ones.
 *
 * Such an execution ends the exploration, and the verdict is inconclusive.  But a violation is often near: if an object
 * whose threads may go round a loop without end goes wrong at all, it usually does after a few iterations.  So all
 * executions in which no thread goes round a loop more than a few times are explored, as with --unroll.  A violation among
 * them is the result.  Otherwise the result is as before, and its scope also says what was looked at.
 */
#ifndef LP_CLI_SHORT_LOOPS_H
#define LP_CLI_SHORT_LOOPS_H

struct lp_check;
struct lp_exploration;
struct lp_task;

/* Look for such violations, for `check` and for `run`.  To be called when the ranks have parted
 * (lp_task_part()). */
void lp_short_loops_check(struct lp_check *);
void lp_short_loops_run(struct lp_task *, struct lp_exploration *);

#endif
