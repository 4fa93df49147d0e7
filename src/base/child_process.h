/* child_process.h -- child processes that do not outlive their parent. */
#ifndef LP_BASE_CHILD_PROCESS_H
#define LP_BASE_CHILD_PROCESS_H

#include <sys/types.h>

/* For a new child: it is killed when its parent ends, also by SIGKILL, and at once if that has happened
 * already.  That holds for a program that it becomes, too.  Only system calls are made. */
void lp_process_end_with(pid_t parent);

#endif
