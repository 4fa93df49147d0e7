/* short_loops.h -- looks for violations in short executions if others are too long to explore.
 *
 * An execution that is too long ends the exploration, and the verdict is inconclusive.  But if the threads of a wrong
 * object may go round a loop without bound, the violation usually needs only a few iterations.  So a second
 * exploration, which takes a few seconds at most, visits the executions in which no thread goes round a loop more than
 * a few times, as with --unroll.  If it finds a violation, this violation is the result.  Otherwise the result remains
 * inconclusive, and its scope also says which executions the second exploration visited.
 */
#ifndef LP_CLI_SHORT_LOOPS_H
#define LP_CLI_SHORT_LOOPS_H

struct lp_check;
struct lp_exploration;
struct lp_task;

/* Run the second exploration, for `check` and for `run`.  To be called when the ranks no longer explore together
 * (lp_task_part()). */
void lp_short_loops_check(struct lp_check *);
void lp_short_loops_run(struct lp_task *, struct lp_exploration *);

#endif
