/* child_process.h -- child processes that do not outlive their parent. */
#ifndef LP_BASE_CHILD_PROCESS_H
#define LP_BASE_CHILD_PROCESS_H

#include <sys/types.h>

/* To be called in a new child: it is killed when its parent ends, even by SIGKILL, and at once if the parent has
 * already ended.  This survives exec().  Only system calls are made. */
void lp_process_end_with(pid_t parent);

#endif
