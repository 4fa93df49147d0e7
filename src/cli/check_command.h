/* check_command.h -- makes the `linchpin check` command line that reproduces a result of another command. */
#ifndef LP_CLI_CHECK_COMMAND_H
#define LP_CLI_CHECK_COMMAND_H

struct lp_task;

/* Returns, in the task's arena: "linchpin check queue.c --ops 4 OPTION TEXT -- -DX".  Besides OPTION and TEXT, the line
 * has those options of the task's command that `check` also has and that affect what is explored. */
const char *lp_check_command(struct lp_task *, const char *option, const char *text);

#endif
