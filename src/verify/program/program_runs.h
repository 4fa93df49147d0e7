/* program_runs.h -- the process that explores a specification that is a program. */
#ifndef LP_VERIFY_PROGRAM_PROGRAM_RUNS_H
#define LP_VERIFY_PROGRAM_PROGRAM_RUNS_H

#include <sys/types.h>

struct lp_options;

/* Loads the file, with the options of the object's check as far as they concern the program, writes its interface to
 * the socket, and answers requests until its end (program_spec.h).  Ends the process. */
_Noreturn void lp_program_runs_serve(const struct lp_options *, const char *file, int socket, pid_t parent);

#endif
