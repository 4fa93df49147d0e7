/* child_process.h -- child processes that do not outlive their parent, and messages to them through sockets. */
#ifndef LP_BASE_CHILD_PROCESS_H
#define LP_BASE_CHILD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* To be called in a new child process: makes the system kill the child when its parent ends, even if the parent is
 * killed by SIGKILL.  If the parent has already ended, the child ends at once.  The setting survives exec().
 * The function makes only system calls, so it may be called after fork(). */
void lp_process_end_with(pid_t parent);

/* Receives or sends exactly `size` bytes through a socket.  Returns false if the other side has gone, or if the
 * socket has a time limit and the other side takes too long. */
bool lp_process_receive(int socket, void *bytes, size_t size);
bool lp_process_send(int socket, const void *bytes, size_t size);

#endif
