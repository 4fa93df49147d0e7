/* child_process.c -- child processes that do not outlive their parent, and messages to them through
 * sockets. */
#include "base/child_process.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

void lp_process_end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

bool lp_process_receive(int socket, void *bytes, size_t size)
{
	for (char *at = bytes; size;) {
		const ssize_t n = read(socket, at, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

bool lp_process_send(int socket, const void *bytes, size_t size)
{
	for (const char *at = bytes; size;) {
		const ssize_t n = send(socket, at, size, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}
