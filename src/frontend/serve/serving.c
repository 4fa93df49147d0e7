/* serving.c -- linchpin-fe as a kept process. */
#define _GNU_SOURCE
#include "frontend/serve/serving.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/child_process.h"

extern char **environ;

/* What a translation leaves behind, 3 MB for a small program, stays until the process ends. */
enum { LARGE_KB = 256 << 10 };

/* Memory that one translation has freed is not given back to the system before the next one. */
enum { KEPT_BYTES = 256 << 20, LARGE_BLOCK = 32 << 20, GROWTH = 4 << 20 };

static bool is_large(void)
{
	struct rusage used;

	return getrusage(RUSAGE_SELF, &used) || used.ru_maxrss > LARGE_KB;
}

/* From now on the end of the client ends this process: that is what SIGIO does.  False if the client has gone already. */
static bool watch(int answer)
{
	struct pollfd fd = { .fd = answer, .events = POLLRDHUP };

	return !fcntl(answer, F_SETOWN, getpid()) && !fcntl(answer, F_SETFL, O_ASYNC) && !poll(&fd, 1, 0);
}

static void unwatch(int answer)
{
	fcntl(answer, F_SETFL, 0);
}

static void print_to(int fd)
{
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
}

static void serve(const struct lp_request *r, int nothing, lp_serving_work *work)
{
	const char begun = LP_REQUEST_BEGUN;
	char **const own = environ;
	struct lp_request_words words;

	if (!lp_request_get(r->answer, &words))
		return;
	if (lp_process_send(r->answer, &begun, 1) && watch(r->answer) && !fchdir(r->folder)) {
		environ = words.environment;
		print_to(r->messages);
		const uint32_t status = (uint32_t)work(words.count, words.words);
		print_to(nothing);
		environ = own;
		unwatch(r->answer);
		lp_process_send(r->answer, &status, sizeof status);
	}
	lp_request_drop(&words);
}

void lp_serving(int socket, struct lp_request request, lp_serving_work *work)
{
	const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
	mallopt(M_TOP_PAD, GROWTH);
	do {
		serve(&request, nothing, work);
		lp_request_close(&request);
	} while (!is_large() && lp_request_take(socket, &request));
	close(nothing);
}
