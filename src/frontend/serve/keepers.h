/* keepers.h -- starts processes of linchpin-fe that are kept, and hands them down to child processes.
 *
 *     linchpin study -+- keeper --- linchpin-fe --.
 *                     +- keeper --- linchpin-fe --+- one socket: the next request goes to one that is free
 *                     +- a row -------------------'
 *                     `- a row -------------------'
 *
 * A keeper starts linchpin-fe when the first request comes, so that a command that finds all of its programs in the cache does not
 * start any; and when the next one comes after linchpin-fe has ended: it was large, or crashed, or its client has ended.
 *
 * Keepers end with the process that has started them, even if that one is killed, and linchpin-fe ends with its keeper.  There are no files and no names: a process that has
 * inherited the socket can send requests, and others cannot.
 */
#ifndef LP_FRONTEND_SERVE_KEEPERS_H
#define LP_FRONTEND_SERVE_KEEPERS_H

#include <stdint.h>

/* That many at once, of that linchpin-fe.  If they cannot be started there are none.  One time in a process, before child processes. */
void lp_keepers_open(const char *instrumenter, uint32_t count);

/* Waits for their end, so that their CPU time is that of this process's children. */
void lp_keepers_close(void);

/* In a child process that is about to run linchpin again: it will find them. */
void lp_keepers_hand_down(void);

/* Where requests are sent; -1 if there are none. */
int lp_keepers_socket(void);

#endif
