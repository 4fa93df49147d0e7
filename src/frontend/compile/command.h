/* command.h -- running other programs, and a private folder for their files. */
#ifndef LP_FRONTEND_COMPILE_COMMAND_H
#define LP_FRONTEND_COMPILE_COMMAND_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

/* An argument vector under construction; strings are borrowed. */
struct lp_command {
	LP_VEC(const char *);
	int messages; /* where it prints to; 0: our standard error.  Closed when it is dropped. */
	int status;   /* after its end, as waitpid() has it */
};

void lp_command_add(struct lp_command *, const char *argument);
void lp_command_add_all(struct lp_command *, const char *const *arguments); /* up to NULL */
void lp_command_drop(struct lp_command *);

/* Runs the command and waits.  What it prints, to either stream, goes to our
 * standard error, so that our standard output stays ours.  False if it cannot be
 * run or does not exit with 0; `what` names the step: "the compiler". */
bool lp_command_run(struct lp_command *, const char *what, struct lp_error *);

/* Begins to run the command; what it prints goes to `out`, or, if that is -1, to our standard
 * error.  Descriptors that are to be inherited must not be close-on-exec. */
bool lp_command_start(struct lp_command *, const char *what, int out, int *process, struct lp_error *);
/* Waits for its end: as lp_command_run(). */
bool lp_command_finish(struct lp_command *, const char *what, int process, struct lp_error *);

/* Runs the command on our own terminal, or whatever our streams are, and waits; Ctrl-C is for
 * the command.  `*status` is its exit status. */
bool lp_command_talk(struct lp_command *, const char *what, int *status, struct lp_error *);

/* Makes a private folder for temporary files, also of commands run later (it is
 * their TMPDIR).  It is removed by close, or when we are ended by SIGINT, SIGTERM
 * or SIGHUP before.  There is one at a time. */
bool lp_folder_open(char path[static 64], struct lp_error *);
void lp_folder_close(const char *path);
/* In a process that was forked meanwhile: the folder is its parent's to remove. */
void lp_folder_disown(void);

#endif
