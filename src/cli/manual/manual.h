/* manual.h -- manual pages and completion scripts, generated from the tables.
 *
 *     linchpin --manual [COMMAND]          prints a page of section 1, as troff
 *     linchpin --completion bash|zsh       prints a script for that shell
 *
 * These options are for people who build packages of linchpin, and --help does not mention them.
 */
#ifndef LP_CLI_MANUAL_H
#define LP_CLI_MANUAL_H

#include <stdbool.h>

/* Print the page of a command (NULL: of linchpin itself), or the script for a shell.  Return false if there is no such
 * command, or no script for this shell. */
bool lp_manual_print(const char *command);
bool lp_completion_print(const char *shell);

#endif
