/* child_process.c -- child processes that do not outlive their parent. */
#include "base/child_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

void lp_process_end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}
