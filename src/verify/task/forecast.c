/* forecast.c -- estimates what an exploration will cost, before it is made. */
#include "verify/task/forecast.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "explore/sample/rng.h"
#include "explore/sample/sample_aside.h"
#include "ranks/ranks.h"
#include "verify/interrupt.h"
#include "verify/usage.h"

enum {
	SAMPLED_CLIENTS = 24, /* of each number of calls, at most */
	ATTEMPTS = 6,         /* attempts to complete one graph within the time limit, which is doubled each time */
};
static const double SHORTEST = 0.02; /* seconds */
static const double SECONDS = 4, PART_WALKED = 0.2, PART_ENUMERATED = 0.25;

/* A sum of estimates. */
struct sum {
	double executions, variance;
	double seconds, seconds_variance;
	bool estimated; /* not all of it was visited */
};

/* ---- one program ---- */

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What is explored. */
struct subject {
	struct lp_task *task;
	void (*explore)(void *closure, struct lp_exploration *);
	void *closure;
};

/* What earlier passes visited is not in the counts. */
static void note_pass(void *closure)
{
	struct lp_task *task = closure;

	task->pass = cpu_seconds();
}

/* The cost of one program.  False if an error is met, or nothing could be counted: `out` says why. */
static bool cost(const struct subject *s, double seconds, struct sum *to, struct lp_exploration *out)
{
	struct lp_explore_options *o = &s->task->explore;
	struct lp_estimate estimate = { 0 };
	const double start = cpu_seconds(), started = lp_usage_seconds();
	double graphs = 0;

	o->limits.seconds = PART_WALKED * seconds > SHORTEST ? PART_WALKED * seconds : SHORTEST;
	o->callbacks.restarted = note_pass;
	for (uint32_t i = 0; i < ATTEMPTS && graphs <= 0; i++, o->limits.seconds *= 2) {
		note_pass(s->task);
		s->explore(s->closure, out);
		graphs = (double)(out->executions + out->blocked + out->abandoned);
		if (out->verdict != LP_INCONCLUSIVE || lp_interrupt_reason())
			break;
	}
	const double used = cpu_seconds() - start, in_pass = cpu_seconds() - s->task->pass;
	*to = (struct sum){ .executions = (double)out->executions, .seconds = used };
	if (out->verdict != LP_INCONCLUSIVE)
		return out->verdict == LP_VERIFIED;
	if (out->kind || lp_interrupt_reason() || graphs <= 0)
		return false;
	const double left = seconds - (lp_usage_seconds() - started);
	o->limits.seconds = left > SHORTEST ? left : SHORTEST;
	s->task->estimate = &estimate;
	s->explore(s->closure, out);
	s->task->estimate = NULL;
	if (out->verdict == LP_VIOLATION || !estimate.rounds || lp_interrupt_reason())
		return false;
	/* What was counted is there, even if no sample meets it. */
	const double each = in_pass / graphs, counted = to->executions;
	*to = (struct sum){ estimate.executions > counted ? estimate.executions : counted, estimate.variance,
			    estimate.graphs * each, estimate.graphs_variance * each * each, true };
	return true;
}

/* ---- from sums to a report ---- */

static struct lp_forecast_number range(bool estimated, double about, double variance)
{
	const struct lp_estimate_range r = lp_estimate_range(about, variance);

	return estimated ? (struct lp_forecast_number){ about, r.low, r.high } : (struct lp_forecast_number){ about, about, about };
}

/* `jobs` are those of one machine, for all ranks there. */
static void report_processes(const struct lp_task *task, uint32_t jobs, struct lp_forecast_report *r)
{
	const struct lp_options *o = task->options;

	r->by_ranks = o->ranks_here;
	r->jobs = o->ranks && o->ranks_here ? jobs / o->ranks_here * lp_ranks_count(o->ranks) : jobs;
}

static void report_sum(const struct lp_task *task, const struct sum *s, struct lp_forecast_report *r)
{
	r->exact = !s->estimated;
	r->executions = range(s->estimated, s->executions, s->variance);
	r->seconds = range(s->estimated, s->seconds, s->seconds_variance);
	r->rate = s->seconds > 0 ? s->executions / s->seconds : 0;
	report_processes(task, task->explore.jobs, r);
	r->memory_kb = lp_usage_peak_rss_kb();
}

/* The result of the exploration that ended the forecast. */
static void report_end(struct lp_task *task, const struct lp_exploration *e, struct lp_forecast_report *r)
{
	char text[512];

	if (e->verdict == LP_VIOLATION) {
		snprintf(text, sizeof text, "%s%s%s", e->text ? e->text : "a violation", e->where ? " at " : "", e->where ? e->where : "");
		r->error = lp_arena_strdup(&task->arena, text);
	} else {
		r->reason = lp_interrupt_reason() ? lp_interrupt_reason() : e->reason && e->kind ? e->reason : "no execution was met in time";
	}
}

static double seconds_for(const struct lp_task *task)
{
	return task->explore.limits.seconds > 0 ? task->explore.limits.seconds : SECONDS;
}

/* ---- a program ---- */

static void explore_task(void *closure, struct lp_exploration *out)
{
	lp_task_explore(closure, out);
}

void lp_forecast_program(struct lp_task *task, struct lp_forecast_report *r)
{
	const struct subject s = { task, explore_task, task };
	const uint32_t jobs = task->explore.jobs;
	struct lp_exploration e = { 0 };
	struct sum sum;

	*r = (struct lp_forecast_report){ .subject = task->file };
	lp_task_begin(task);
	task->line.shown = false;
	task->explore.jobs = 1;
	const bool good = cost(&s, seconds_for(task), &sum, &e);
	task->explore.jobs = jobs;
	if (good)
		report_sum(task, &sum, r);
	else
		report_end(task, &e, r);
	lp_task_end(task);
	r->took = lp_task_seconds(task);
}

/* ---- clients ---- */

/* Clients with the same number of calls: how many there are, and some of them. */
struct stratum {
	uint64_t count;
	struct lp_plan_client *client;
	uint32_t kept;
};

struct clients {
	struct lp_check *check;
	struct lp_rng rng;
	double until;
	bool more;
	uint64_t count;
	struct stratum by_calls[LP_CLIENT_CALLS + 1];
};

/* Each client is kept with the same probability (Vitter, "Random Sampling with a Reservoir", 1985). */
static bool draw(void *closure, const struct lp_plan_client *client)
{
	struct clients *all = closure;
	struct stratum *s = &all->by_calls[client->client.calls];
	const uint64_t place = s->kept < SAMPLED_CLIENTS ? s->kept : lp_rng_word(&all->rng) % (s->count + 1);

	if (!s->client)
		s->client = lp_arena_alloc(&all->check->task.arena, sizeof *s->client * SAMPLED_CLIENTS);
	if (place < SAMPLED_CLIENTS)
		s->client[place] = *client;
	s->kept += s->kept < SAMPLED_CLIENTS;
	s->count++;
	all->check->clients++;
	all->more = ++all->count % 1024 == 0 && lp_usage_seconds() > all->until;
	return !all->more && !lp_interrupt_reason();
}

static void explore_client(void *closure, struct lp_exploration *out)
{
	lp_check_try(closure, out);
}

/* What the clients of one stratum cost together, from those that were drawn. */
static void add_stratum(const struct stratum *s, const struct sum *drawn, struct sum *to)
{
	const double n = (double)s->count, m = s->kept, factor = n / m;
	double sum[2] = { 0 }, squares[2] = { 0 }, within[2] = { 0 };

	for (uint32_t i = 0; i < s->kept; i++) {
		const double value[2] = { drawn[i].executions, drawn[i].seconds };
		const double variance[2] = { drawn[i].variance, drawn[i].seconds_variance };
		for (uint32_t v = 0; v < 2; v++) {
			sum[v] += value[v];
			squares[v] += value[v] * value[v];
			within[v] += variance[v];
		}
		to->estimated |= drawn[i].estimated;
	}
	to->estimated |= s->kept < s->count;
	double between[2];
	for (uint32_t v = 0; v < 2; v++) {
		const double spread = m > 1 ? (squares[v] - sum[v] * sum[v] / m) / (m - 1) : 0;
		between[v] = (spread > 0 ? spread : 0) * n * (n - m) / m + within[v] * factor * factor;
	}
	to->executions += sum[0] * factor;
	to->variance += between[0];
	to->seconds += sum[1] * factor;
	to->seconds_variance += between[1];
}

/* Small clients come first, and leave their time to larger ones. */
static bool cost_clients(struct clients *all, double until, struct sum *to, struct lp_exploration *e)
{
	const struct subject s = { &all->check->task, explore_client, all->check };
	uint32_t left = 0;

	for (uint32_t calls = 0; calls <= LP_CLIENT_CALLS; calls++)
		left += all->by_calls[calls].kept;
	*to = (struct sum){ 0 };
	for (uint32_t calls = 0; calls <= LP_CLIENT_CALLS; calls++) {
		const struct stratum *stratum = &all->by_calls[calls];
		struct sum drawn[SAMPLED_CLIENTS];
		for (uint32_t i = 0; i < stratum->kept; i++, left--) {
			const double time = until - lp_usage_seconds();
			lp_check_client(all->check, &stratum->client[i]);
			if (!cost(&s, (time > 0 ? time : 0) / left, &drawn[i], e))
				return false;
		}
		if (stratum->kept)
			add_stratum(stratum, drawn, to);
	}
	return true;
}

/* One attempt; `*again` if the object turns out to tell its callers apart, so that there are other clients. */
static bool forecast(struct lp_check *c, struct lp_forecast_report *r, bool *again, struct lp_error *error)
{
	const double seconds = seconds_for(&c->task), now = lp_usage_seconds();
	struct clients all = { .check = c, .rng = { c->task.explore.sampling.seed }, .until = now + PART_ENUMERATED * seconds };
	struct lp_exploration e = { 0 };
	struct sum sum;

	c->clients = 0;
	if (!lp_check_enumerate(c, draw, &all, error))
		return false;
	c->task.line.shown = false;
	*r = (struct lp_forecast_report){ .subject = c->task.file, .clients = all.count, .more_clients = all.more };
	for (uint32_t calls = 0; calls <= LP_CLIENT_CALLS; calls++)
		r->sampled += all.by_calls[calls].kept;
	const double limit = c->task.explore.limits.seconds;
	if (cost_clients(&all, now + seconds, &sum, &e))
		report_sum(&c->task, &sum, r);
	else
		report_end(&c->task, &e, r);
	c->task.explore.limits.seconds = limit;
	*again = !r->error && lp_check_was_mistaken(c);
	return true;
}

bool lp_forecast_clients(struct lp_check *c, struct lp_forecast_report *r, struct lp_error *error)
{
	const uint32_t jobs = c->task.explore.jobs;
	bool again = true, good = true;

	c->task.explore.jobs = 1;
	while (good && again)
		good = forecast(c, r, &again, error);
	lp_task_end(&c->task);
	report_processes(&c->task, jobs, r);
	r->took = lp_task_seconds(&c->task);
	return good;
}
