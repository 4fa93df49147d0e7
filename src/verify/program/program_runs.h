/* program_runs.h -- the main function of the process that explores a specification that is
 * a program. */
#ifndef LP_VERIFY_PROGRAM_PROGRAM_RUNS_H
#define LP_VERIFY_PROGRAM_PROGRAM_RUNS_H

#include <sys/types.h>

struct lp_options;

/* Loads the program in `file`, with those options of the object's check that concern this program, too.  Writes the interface of
 * the program to the socket, and answers requests until the socket is closed (program_spec.h).  Then ends the process. */
_Noreturn void lp_program_runs_serve(const struct lp_options *, const char *file, int socket, pid_t parent);

#endif
