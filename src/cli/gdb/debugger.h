/* debugger.h -- a replay in gdb.
 *
 * The execution is replayed twice.  First this process replays it, and writes three things to a
 * folder, the session's folder: the compiled program, the result as JSON, and the script for gdb.
 * Then gdb runs linchpin again.  The second process finds the name of the folder in its environment,
 * loads the program from there, and notifies the debugger of each event (runtime/coroutines/debug.h).
 */
#ifndef LP_CLI_GDB_DEBUGGER_H
#define LP_CLI_GDB_DEBUGGER_H

#include <limits.h>
#include <stdbool.h>

struct lp_error;
struct lp_options;
struct lp_result;

struct lp_debugger {
	char folder[64];
	char trace[PATH_MAX];
};

/* Returns false if there is no gdb with Python, or if the folder cannot be created. */
bool lp_debugger_open(struct lp_debugger *, const char *trace, struct lp_error *);
void lp_debugger_close(struct lp_debugger *);

/* Writes the facts about the execution that the script needs into the session's folder. */
bool lp_debugger_note(const char *folder, const struct lp_result *);

/* Runs gdb, with the arguments `flags`, until the user leaves it.  Returns its exit status,
 * or -1 with the error. */
int lp_debugger_run(const struct lp_debugger *, const struct lp_options *, struct lp_error *);

/* If this is the process that gdb runs, returns the session's folder; else NULL. */
const char *lp_debugger_session(void);

#endif
