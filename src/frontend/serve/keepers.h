/* keepers.h -- keeps processes of linchpin-fe, which compile for this process and its child processes.
 *
 *     linchpin study -+- keeper --- linchpin-fe --.
 *                     +- keeper --- linchpin-fe --+- one socket: the next request goes to a linchpin-fe that is free
 *                     +- a row -------------------'
 *                     `- a row -------------------'
 *
 * Each keeper is a process.  It starts linchpin-fe when the first request comes, so a command that finds all of its programs in the cache
 * does not start linchpin-fe.  linchpin-fe ends if it has grown large, if it crashes, or if the process for which it is working
 * ends.  The keeper starts it again at the next request.
 *
 * Keepers end with the process that has started them, even if this process is killed, and linchpin-fe ends with its keeper.  There are no
 * files and no names: only processes that have inherited the socket can send requests.
 */
#ifndef LP_FRONTEND_SERVE_KEEPERS_H
#define LP_FRONTEND_SERVE_KEEPERS_H

#include <stdint.h>

/* Starts `count` keepers; `instrumenter` is the path of linchpin-fe.  If this fails, there are no keepers.  To be called at most once in a
 * process, before it starts child processes. */
void lp_keepers_open(const char *instrumenter, uint32_t count);

/* Ends the keepers and waits for their end, so that their CPU time counts as that of this process's children. */
void lp_keepers_close(void);

/* To be called in a child process that is about to execute linchpin: makes the keepers available to that program. */
void lp_keepers_hand_down(void);

/* Returns the socket for requests; -1 if there are no keepers. */
int lp_keepers_socket(void);

#endif
