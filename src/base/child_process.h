/* child_process.h -- child processes: they do not outlive their parent, and are talked to through sockets. */
#ifndef LP_BASE_CHILD_PROCESS_H
#define LP_BASE_CHILD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* To be called in a new child: it is killed when its parent ends, even by SIGKILL, and at once if the parent has
 * already ended.  This survives exec().  Only system calls are made. */
void lp_process_end_with(pid_t parent);

/* All bytes, through a socket; false if the other side has gone, or takes too long where there is a limit. */
bool lp_process_receive(int socket, void *bytes, size_t size);
bool lp_process_send(int socket, const void *bytes, size_t size);

#endif
