/* keepers.c -- starts processes of linchpin-fe that are kept. */
#define _GNU_SOURCE
#include "frontend/serve/keepers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/vec.h"
#include "frontend/serve/request.h"

#define HANDED_DOWN "LINCHPIN_FE_SOCKET"

enum { SOCKET = 3 }; /* in keepers */

static struct {
	LP_VEC(pid_t); /* of this process */
	int socket;
	bool known; /* whether there are some */
} keepers = { .socket = -1 };

/* ---- a keeper ---- */

/* Closes the descriptors that are inherited from the command: otherwise their other ends would not notice that it has ended. */
static void keep_only(int socket)
{
	const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd < 3; fd++)
		dup2(nothing, fd);
	if (socket != SOCKET)
		dup2(socket, SOCKET);
	close_range(SOCKET + 1, ~0U, 0);
	fcntl(SOCKET, F_SETFD, 0);
}

static void forget_signals(void)
{
	static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGIO, SIGPIPE, SIGCHLD };
	sigset_t none;

	for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
		signal(deadly[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* linchpin-fe --serve SOCKET ANSWER MESSAGES FOLDER */
_Noreturn static void run(const char *instrumenter, const struct lp_request *r, pid_t keeper)
{
	const int numbers[4] = { SOCKET, r->answer, r->messages, r->folder };
	char texts[4][16];

	lp_process_end_with(keeper);
	for (int i = 0; i < 4; i++) {
		snprintf(texts[i], sizeof texts[i], "%d", numbers[i]);
		fcntl(numbers[i], F_SETFD, 0);
	}
	execl(instrumenter, instrumenter, "--serve", texts[0], texts[1], texts[2], texts[3], (char *)NULL);
	_exit(127);
}

_Noreturn static void keep(const char *instrumenter, int socket, pid_t parent)
{
	struct lp_request r;
	int status = 0;

	lp_process_end_with(parent);
	forget_signals();
	keep_only(socket);
	while (!(WIFEXITED(status) && WEXITSTATUS(status)) && lp_request_take(SOCKET, &r)) {
		const pid_t keeper = getpid(), child = fork();
		if (!child)
			run(instrumenter, &r, keeper);
		lp_request_close(&r);
		while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	}
	_exit(0);
}

/* ---- the command that has them ---- */

void lp_keepers_open(const char *instrumenter, uint32_t count)
{
	const pid_t parent = getpid();
	int ends[2];

	if (lp_keepers_socket() >= 0 || !count || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return;
	fflush(NULL); /* or keepers would have what is not written yet, too */
	for (uint32_t i = 0; i < count; i++) {
		const pid_t child = fork();
		if (!child)
			keep(instrumenter, ends[1], parent);
		if (child > 0)
			LP_PUSH(&keepers, child);
	}
	close(ends[1]); /* without keepers, nothing can be sent */
	keepers.socket = ends[0];
}

/* They end when they see that no remaining process could send a request. */
static void await(pid_t keeper)
{
	const struct timespec tick = { .tv_nsec = 2000000 };

	for (int i = 0; i < 500; i++) {
		if (waitpid(keeper, NULL, WNOHANG))
			return;
		nanosleep(&tick, NULL);
	}
	kill(keeper, SIGKILL);
	waitpid(keeper, NULL, 0);
}

void lp_keepers_close(void)
{
	if (keepers.socket >= 0)
		close(keepers.socket);
	keepers.socket = -1;
	for (uint32_t i = 0; i < keepers.count; i++)
		await(keepers.at[i]);
	lp_free(keepers.at);
	keepers.at = NULL;
	keepers.count = keepers.room = 0;
}

void lp_keepers_hand_down(void)
{
	char number[16];

	if (keepers.socket < 0)
		return;
	snprintf(number, sizeof number, "%d", keepers.socket);
	if (!fcntl(keepers.socket, F_SETFD, 0))
		setenv(HANDED_DOWN, number, 1);
}

/* It is not handed down further: to the linker, say. */
static int inherited(void)
{
	const char *number = getenv(HANDED_DOWN);
	const int fd = number ? atoi(number) : -1;
	int type;
	socklen_t size = sizeof type;

	unsetenv(HANDED_DOWN);
	if (fd < 3 || getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) || type != SOCK_SEQPACKET)
		return -1;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

int lp_keepers_socket(void)
{
	if (!keepers.known && keepers.socket < 0)
		keepers.socket = inherited();
	keepers.known = true;
	return keepers.socket;
}
