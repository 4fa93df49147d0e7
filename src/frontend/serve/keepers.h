/* keepers.h -- starts processes of linchpin-fe that are kept, and hands them down to child processes.
 *
 *     linchpin study -+- keeper --- linchpin-fe --.
 *                     +- keeper --- linchpin-fe --+- one socket: the next request goes to one that is free
 *                     +- a row -------------------'
 *                     `- a row -------------------'
 *
 * A keeper starts linchpin-fe when the first request comes, so that a command that finds all of its programs in the cache does not start
 * any.  If linchpin-fe has ended, because it had grown large, had crashed, or its client had ended, the keeper starts it again at the next
 * request.
 *
 * Keepers end with the process that has started them, even if that one is killed, and linchpin-fe ends with its keeper.  There are no files
 * and no names: a process that has inherited the socket can send requests, and others cannot.
 */
#ifndef LP_FRONTEND_SERVE_KEEPERS_H
#define LP_FRONTEND_SERVE_KEEPERS_H

#include <stdint.h>

/* Starts `count` keepers of that linchpin-fe; if this fails, there are no keepers.  To be called at most once in a process, before it
 * starts child processes. */
void lp_keepers_open(const char *instrumenter, uint32_t count);

/* Ends the keepers and waits for them, so that their CPU time counts as that of this process's children. */
void lp_keepers_close(void);

/* To be called in a child process that is about to execute linchpin: makes the keepers available there. */
void lp_keepers_hand_down(void);

/* Returns the socket for requests; -1 if there are no keepers. */
int lp_keepers_socket(void);

#endif
