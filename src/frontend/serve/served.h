/* served.h -- a run of linchpin-fe by a process that is kept. */
#ifndef LP_FRONTEND_SERVE_SERVED_H
#define LP_FRONTEND_SERVE_SERVED_H

#include <stdbool.h>

/* Sends the command, which is to print to `messages`.  Returns what lp_served_finish() takes, or -1 if there is no such process. */
int lp_served_start(const char *const *words, char *const *environment, int messages);

/* Waits for its end; the status is as waitpid() gives it.  False if it has none: no process took the request, or the process has ended before its time.  Then
 * the command is to be run in the usual way, which also finds out why. */
bool lp_served_finish(int request, int *status);

#endif
