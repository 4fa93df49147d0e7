/* command.h -- running other programs, and a private folder for their files. */
#ifndef LP_FRONTEND_COMPILE_COMMAND_H
#define LP_FRONTEND_COMPILE_COMMAND_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

/* An argument vector under construction; strings are borrowed. */
struct lp_command {
	LP_VEC(const char *);
	int messages; /* the file to which the command prints, and which lp_command_drop() closes; 0: our standard error */
	int status;   /* the status of the command, as given by waitpid(), after it has ended */
};

void lp_command_add(struct lp_command *, const char *argument);
void lp_command_add_all(struct lp_command *, const char *const *arguments); /* up to NULL */
void lp_command_drop(struct lp_command *);

/* Runs the command and waits for its end.  Both of its output streams go to our standard error, so that our standard output
 * contains only our own output.  Returns false, with the error set, if the command cannot be run or does not exit with 0.  `what` is for
 * the error: "the compiler". */
bool lp_command_run(struct lp_command *, const char *what, struct lp_error *);

/* Starts the command.  Its standard output goes to the descriptor `out`; if `out` is -1, it goes where the messages go.
 * Descriptors that the command is to inherit must not be close-on-exec. */
bool lp_command_start(struct lp_command *, const char *what, int out, int *process, struct lp_error *);
/* Waits until the command has ended; returns what lp_command_run() returns. */
bool lp_command_finish(struct lp_command *, const char *what, int process, struct lp_error *);
/* For a command that has ended, and whose `status` is set: returns what lp_command_run() returns. */
bool lp_command_has_succeeded(const struct lp_command *, const char *what, struct lp_error *);

/* Returns the environment of commands: that of this process, with TMPDIR set to the private folder.  The caller frees the array.  `tmpdir`
 * is memory for one of its strings. */
char **lp_command_environment(char tmpdir[static 80]);

/* Runs the command with our own standard streams, and waits for its end.  Ctrl-C affects the command, not this process.  `*status`
 * becomes its exit status. */
bool lp_command_talk(struct lp_command *, const char *what, int *status, struct lp_error *);

/* Creates a private folder for temporary files; it is also the TMPDIR of commands that run later.  lp_command_folder_close()
 * removes the folder.  It is also removed if SIGINT, SIGTERM or SIGHUP ends this process before that.  There is at most one such
 * folder at a time. */
bool lp_command_folder_open(char path[static 64], struct lp_error *);
void lp_command_folder_close(const char *path);
/* To be called in a forked process, which must not remove the folder: the parent does so. */
void lp_command_folder_disown(void);

#endif
