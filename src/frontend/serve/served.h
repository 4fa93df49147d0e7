/* served.h -- runs linchpin-fe in a kept process (keepers.h), as the client. */
#ifndef LP_FRONTEND_SERVE_SERVED_H
#define LP_FRONTEND_SERVE_SERVED_H

#include <stdbool.h>

/* Sends the command, which prints to `messages`.  Returns a number for lp_served_finish(), or -1 if no process is kept. */
int lp_served_start(const char *const *words, char *const *environment, int messages);

/* Waits until the command has ended.  Stores its status in the form of waitpid().  Returns false if there is no status, because no
 * process took the request, or because the process ended too early.  The caller then runs the command in a new process; if the
 * command itself is the reason, this also shows what is wrong. */
bool lp_served_finish(int request, int *status);

#endif
