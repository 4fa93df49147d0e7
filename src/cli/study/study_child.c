/* study_child.c -- runs linchpin as a child process.
 *
 * A child has ended when its output ends.  Its standard error is discarded: the verdict contains the
 * reason, and a row that does not match is shown with its command line.
 */
#define _GNU_SOURCE /* pipe2 */
#include "cli/study/study_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/error.h"
#include "cli/commands.h"

enum { CHUNK = 1 << 16, TICK_MS = 100 };
static const double grace = 10; /* seconds from being told to being killed */

double lp_study_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* In the child: never returns.  If it fails, no verdict is printed, which is noticed. */
static _Noreturn void become(const char *const *line, int out, pid_t parent)
{
	const int nothing = open("/dev/null", O_RDWR);

	lp_process_end_with(parent);
	dup2(nothing, 0);
	dup2(out, 1);
	dup2(nothing, 2);
	execv("/proc/self/exe", (char *const *)line);
	_exit(LP_EXIT_USAGE);
}

bool lp_study_child_start(struct lp_study_child *child, const struct lp_study_words *words,
			  uint32_t row, double seconds, struct lp_error *error)
{
	struct lp_study_words line = { 0 };
	int ends[2];

	/* Other children must not hold this one's pipe open. */
	if (pipe2(ends, O_CLOEXEC))
		return lp_fail(error, "no pipe: %s", strerror(errno));
	LP_PUSH(&line, "linchpin");
	for (uint32_t i = 0; i < words->count; i++)
		LP_PUSH(&line, words->at[i]);
	const pid_t parent = getpid();
	child->process = fork();
	if (!child->process)
		become(line.at, ends[1], parent);
	lp_free(line.at);
	close(ends[1]);
	if (child->process < 0) {
		close(ends[0]);
		child->process = 0;
		return lp_fail(error, "cannot run linchpin itself: %s", strerror(errno));
	}
	child->out = ends[0];
	child->row = row;
	child->started = lp_study_now();
	child->deadline = child->started + seconds;
	child->told = child->late = false;
	child->text.count = 0;
	return true;
}

void lp_study_children_wait(struct lp_study_child *children, uint32_t count)
{
	struct pollfd *fds = lp_alloc_zero(count, sizeof *fds);

	for (uint32_t i = 0; i < count; i++) {
		fds[i].fd = children[i].process ? children[i].out : -1;
		fds[i].events = POLLIN;
	}
	poll(fds, count, TICK_MS);
	lp_free(fds);
}

void lp_study_child_stop(struct lp_study_child *child)
{
	if (!child->process || child->told)
		return;
	child->told = true;
	child->deadline = lp_study_now() + grace;
	kill(child->process, SIGTERM);
}

/* Takes what there is, without waiting; true at the end of it. */
static bool read_some(struct lp_study_child *child)
{
	struct pollfd fd = { .fd = child->out, .events = POLLIN };

	while (poll(&fd, 1, 0) > 0) {
		LP_RESERVE(&child->text, CHUNK + 1);
		const ssize_t got = read(child->out, child->text.at + child->text.count, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return true;
		child->text.count += (uint32_t)got;
	}
	return false;
}

static void obey_deadline(struct lp_study_child *child)
{
	if (lp_study_now() < child->deadline)
		return;
	if (child->told) {
		kill(child->process, SIGKILL);
	} else {
		lp_study_child_stop(child);
		child->late = true;
	}
}

/* The exit status must be that of the verdict, or something is wrong with us. */
static bool agrees(const struct lp_study_answer *a, int status)
{
	static const struct {
		const char *verdict;
		int status;
	} pairs[] = { { "verified", LP_EXIT_VERIFIED },
		      { "violation", LP_EXIT_VIOLATION },
		      { "error", LP_EXIT_USAGE },
		      { "inconclusive", LP_EXIT_INCONCLUSIVE } };

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (!strcmp(a->verdict, pairs[i].verdict))
			return WIFEXITED(status) && WEXITSTATUS(status) == pairs[i].status;
	return false;
}

bool lp_study_child_ended(struct lp_study_child *child, struct lp_study_answer *answer)
{
	int status = 0;

	if (!child->process)
		return false;
	if (!read_some(child)) {
		obey_deadline(child);
		return false;
	}
	while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
		;
	close(child->out);
	LP_PUSH(&child->text, '\0');
	*answer = (struct lp_study_answer){ .seconds = lp_study_now() - child->started };
	lp_study_answer_read(answer, child->text.at);
	if (child->late)
		snprintf(answer->text, sizeof answer->text, "timed out");
	else if (child->told)
		snprintf(answer->text, sizeof answer->text, "interrupted");
	if (!agrees(answer, status)) {
		snprintf(answer->verdict, sizeof answer->verdict, "none");
		if (!child->told && WIFSIGNALED(status))
			snprintf(answer->text, sizeof answer->text, "ended by signal %d",
				 WTERMSIG(status));
		else if (!child->told)
			snprintf(answer->text, sizeof answer->text, "exit status %d",
				 WEXITSTATUS(status));
	}
	child->process = 0;
	return true;
}
