/* check_command.h -- the `linchpin check` command line that reproduces a result of another command. */
#ifndef LP_CLI_CHECK_COMMAND_H
#define LP_CLI_CHECK_COMMAND_H

struct lp_task;

/* "linchpin check queue.c --ops 4 OPTION TEXT -- -DX": the task's own words, as far as `check` understands them and they
 * concern what is explored.  In the task's arena. */
const char *lp_check_command(struct lp_task *, const char *option, const char *text);

#endif
