/* served.h -- runs linchpin-fe in a kept process (keepers.h), as the client. */
#ifndef LP_FRONTEND_SERVE_SERVED_H
#define LP_FRONTEND_SERVE_SERVED_H

#include <stdbool.h>

/* Sends the command, which prints to `messages`.  Returns a number for lp_served_finish(), or -1 if no process is kept. */
int lp_served_start(const char *const *words, char *const *environment, int messages);

/* Waits until the command has ended; the status is that of waitpid().  Returns false if there is no status, because no
 * process took the request, or the process ended too early.  Then the caller runs the command in the usual way, which also
 * shows why. */
bool lp_served_finish(int request, int *status);

#endif
