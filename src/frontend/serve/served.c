/* served.c -- runs linchpin-fe in a kept process, as the client. */
#define _GNU_SOURCE
#include "frontend/serve/served.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "frontend/serve/keepers.h"
#include "frontend/serve/request.h"

int lp_served_start(const char *const *words, char *const *environment, int messages)
{
	const int socket = lp_keepers_socket();
	int own[2];

	if (socket < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, own))
		return -1;
	const int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const bool sent = folder >= 0 && lp_request_send(socket, &(struct lp_request){ own[1], messages, folder });
	if (folder >= 0)
		close(folder);
	close(own[1]);
	if (sent && lp_request_put(own[0], words, environment))
		return own[0];
	close(own[0]);
	return -1;
}

/* Is there something to read, within that many seconds? */
static bool speaks(int request, int seconds)
{
	struct pollfd fd = { .fd = request, .events = POLLIN };
	int ready;

	while ((ready = poll(&fd, 1, seconds * 1000)) < 0 && errno == EINTR)
		;
	return ready > 0;
}

bool lp_served_finish(int request, int *status)
{
	uint32_t code = 0;
	char begun;

	const bool done = speaks(request, LP_REQUEST_PATIENCE) && lp_process_receive(request, &begun, 1) && begun == LP_REQUEST_BEGUN &&
			  lp_process_receive(request, &code, sizeof code);
	close(request);
	*status = W_EXITCODE((int)(code & 0xff), 0);
	return done;
}
