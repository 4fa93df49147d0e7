/* job_process.c -- the process of one job. */
#define _GNU_SOURCE /* pipe2 */
#include "ranks/job_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child_process.h"

enum { CHUNK = 1 << 16 };
static const double GRACE = 10; /* seconds from being told to being killed */

double lp_jobs_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void lp_job_write(const void *bytes, size_t size)
{
	for (const uint8_t *at = bytes; size;) {
		const ssize_t n = write(STDOUT_FILENO, at, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1); /* rank 0 sees that it ended so */
		at += n;
		size -= (size_t)n;
	}
}

_Noreturn static void be_job(const struct lp_rank_job *job, lp_job_work *work, void *closure, int out, pid_t parent)
{
	const int nothing = open("/dev/null", O_RDWR);

	lp_process_end_with(parent);
	dup2(nothing, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	work(closure, job);
	_exit(0);
}

bool lp_job_process_start(struct lp_job_process *p, const struct lp_rank_job *job, lp_job_work *work, void *closure)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return false;
	fflush(NULL); /* or the process would have what is not written yet, too */
	const pid_t parent = getpid(), child = fork();
	if (!child)
		be_job(job, work, closure, ends[1], parent);
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return false;
	}
	p->process = child;
	p->out = ends[0];
	p->started = lp_jobs_now();
	p->deadline = job->seconds > 0 ? p->started + job->seconds : 0;
	p->text.count = 0;
	p->result = (struct lp_job_result){ .number = job->number, .started = true };
	return true;
}

void lp_job_process_stop(struct lp_job_process *p)
{
	if (!p->process || p->result.told)
		return;
	p->result.told = true;
	p->deadline = lp_jobs_now() + GRACE;
	kill(p->process, SIGTERM);
}

/* True at the end of what it writes. */
static bool read_some(struct lp_job_process *p)
{
	struct pollfd fd = { .fd = p->out, .events = POLLIN };

	while (poll(&fd, 1, 0) > 0) {
		LP_RESERVE(&p->text, CHUNK);
		const ssize_t got = read(p->out, p->text.at + p->text.count, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return true;
		p->text.count += (uint32_t)got;
	}
	return false;
}

static void obey_deadline(struct lp_job_process *p)
{
	if (!(p->deadline > 0) || lp_jobs_now() < p->deadline)
		return;
	if (p->result.told) {
		kill(p->process, SIGKILL);
	} else {
		lp_job_process_stop(p);
		p->result.late = true;
	}
}

bool lp_job_process_ended(struct lp_job_process *p)
{
	if (!p->process)
		return false;
	if (!read_some(p)) {
		obey_deadline(p);
		return false;
	}
	while (waitpid(p->process, &p->result.status, 0) < 0 && errno == EINTR)
		;
	close(p->out);
	p->process = 0;
	p->result.seconds = lp_jobs_now() - p->started;
	p->result.bytes = p->text.at;
	p->result.size = p->text.count;
	return true;
}
