/* sample_aside.c -- samples the tree in a process of its own while the exploration runs. */
#define _GNU_SOURCE /* pipe2 */
#include "explore/sample/sample_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/child_process.h"
#include "explore/clock.h"
#include "explore/learn.h"

static const double FIRST = 1, SHORTEST = 0.1, SHARE = 0.005; /* in seconds, in seconds, and as a fraction of the
                                                               * time so far */
static const double PATIENCE = 10;        /* seconds that a process may take longer than four times
                                           * its budget */
static const double BELOW = 3, ABOVE = 6; /* standard deviations from the estimate to the ends of the range */
static const double BEYOND = 1.5;         /* a factor, since all rounds may have missed the same part of the tree */

struct lp_estimate_range lp_estimate_range(double about, double variance)
{
	const double deviation = sqrt(log1p(about > 0 ? variance / (about * about) : 0));

	return (struct lp_estimate_range){ about * exp(-BELOW * deviation) / BEYOND, about * exp(ABOVE * deviation) * BEYOND };
}

/* ---- the process ---- */

_Noreturn static void be_sample(const struct lp_sample_aside *s, struct lp_program *program, const struct lp_explore_options *options,
				int out, pid_t parent)
{
	struct lp_explore_options own = *options;
	struct lp_estimate estimate = { 0 };
	struct lp_exploration ignored = { 0 };
	struct lp_arena arena = { 0 };

	lp_process_end_with(parent);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	if (program->class->shared && !program->class->shared->leave(program))
		_exit(1);
	own.jobs = 1;
	own.team = NULL;
	own.watch = NULL;
	own.callbacks.progress = NULL;
	lp_explore_silently(&own);
	own.sampling.seed += s->taken;
	own.limits.seconds = s->budget;
	own.limits.deadline = 0;
	own.limits.executions = own.limits.blocked = 0;
	own.limits.keep = NULL;
	lp_explore_estimate(program, &own, (struct lp_estimate_effort){ 0 }, &arena, &estimate, &ignored);
	_exit(write(out, &estimate, sizeof estimate) != sizeof estimate);
}

static void begin(struct lp_sample_aside *s, struct lp_program *program, const struct lp_explore_options *options, double seconds)
{
	int ends[2];

	s->over = pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0;
	if (s->over)
		return;
	s->budget = seconds * SHARE > SHORTEST ? seconds * SHARE : SHORTEST;
	s->started = lp_clock_seconds();
	s->next = 2 * seconds;
	s->taken++;
	const pid_t parent = getpid(), child = fork();
	if (!child)
		be_sample(s, program, options, ends[1], parent);
	close(ends[1]);
	s->out = ends[0];
	s->process = child > 0 ? child : 0;
	s->over = child < 0;
	if (s->over)
		close(ends[0]);
}

/* ---- here ---- */

void lp_sample_aside_add(struct lp_sample_aside *s, const struct lp_estimate *e, double seconds)
{
	const double all = s->effort + seconds, old = s->effort / all, new = seconds / all;

	if (!e->rounds)
		return;
	s->executions = old * s->executions + new * e->executions;
	s->variance = old * old * s->variance + new * new * e->variance;
	s->effort = all;
}

void lp_sample_aside_end(struct lp_sample_aside *s)
{
	if (!s->process)
		return;
	kill(s->process, SIGKILL);
	while (waitpid(s->process, NULL, 0) < 0 && errno == EINTR)
		;
	close(s->out);
	s->process = 0;
}

/* Takes the estimate, if the process has sent it. */
static void take(struct lp_sample_aside *s)
{
	struct lp_estimate e;
	const ssize_t got = read(s->out, &e, sizeof e);
	const double took = lp_clock_seconds() - s->started;

	if (got < 0 && (errno == EAGAIN || errno == EINTR) && took < 4 * s->budget + PATIENCE)
		return;
	if (got == sizeof e)
		lp_sample_aside_add(s, &e, s->budget);
	s->over = got != sizeof e; /* the process found an error, or takes too long */
	lp_sample_aside_end(s);
}

bool lp_sample_aside_turn(struct lp_sample_aside *s, struct lp_program *program, const struct lp_explore_options *options, double seconds)
{
	const double before = s->effort;

	if (s->process)
		take(s);
	else if (!s->over && seconds >= (s->next > 0 ? s->next : FIRST))
		begin(s, program, options, seconds);
	return s->effort > before;
}

double lp_sample_aside_estimate(const struct lp_sample_aside *s, const struct lp_progress *walk)
{
	const double seen = (double)walk->executions;

	if (!(s->effort > 0))
		return s->over ? walk->estimate : 0;
	if (s->executions > seen)
		return s->executions;
	/* The estimate was too low.  Near the end of the exploration the walk's estimate is better. */
	return walk->estimate <= 2 * seen ? walk->estimate : 0;
}
