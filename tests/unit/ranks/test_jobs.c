/* test_jobs.c -- numbered jobs: each is done once, in some rank, and its complete result arrives, whatever happens to
 * its process. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "expect.h"
#include "ranks/jobs.h"
#include "switch.h"

enum { JOBS = 60, LARGE = 300000 };

struct plan {
	uint64_t seed;
	uint32_t room;
	uint32_t stop_after; /* results; 0: never */
};

/* What becomes of a job: by the definition, the same in every rank. */
enum fate { SMALL, NOTHING, MUCH, EXITS, KILLED, SLOW, ENDLESS, FATES };

static enum fate fate_of(const struct plan *p, uint32_t number)
{
	return (enum fate)(lp_mix(lp_mix(p->seed) + number) % FATES);
}

static size_t size_of(enum fate f)
{
	return f == NOTHING || f == ENDLESS ? 0 : f == MUCH ? LARGE : 8;
}

static uint8_t byte_of(uint32_t number, uint8_t described, size_t i)
{
	return (uint8_t)(lp_mix(number * 131u + described) + i * 7);
}

static void work(void *closure, const struct lp_rank_job *job)
{
	const enum fate f = fate_of(closure, job->number);
	const size_t size = size_of(f);
	uint8_t *bytes = lp_alloc(size + 1);

	if (job->size != 1 || job->bytes[0] != job->number % 200)
		_exit(99);
	for (size_t i = 0; i < size; i++)
		bytes[i] = byte_of(job->number, job->bytes[0], i);
	if (f == SLOW)
		usleep(20000);
	lp_job_write(bytes, size);
	lp_free(bytes);
	if (f == EXITS)
		_exit((int)(job->number % 50));
	if (f == KILLED)
		raise(SIGKILL);
	while (f == ENDLESS)
		pause();
}

static bool is_right(const struct plan *p, const struct lp_job_result *r, bool stopped)
{
	const enum fate f = fate_of(p, r->number);
	const uint8_t described = (uint8_t)(r->number % 200);

	if (!r->started)
		return false;
	if (r->told) /* in the middle, perhaps */
		return stopped || (r->late && f == ENDLESS);
	if (f == ENDLESS || r->size != size_of(f))
		return false;
	for (size_t i = 0; i < r->size; i++)
		if (r->bytes[i] != byte_of(r->number, described, i))
			return false;
	return f == KILLED ? WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGKILL :
			     WIFEXITED(r->status) && WEXITSTATUS(r->status) == (f == EXITS ? (int)(r->number % 50) : 0);
}

/* Rank 0 gives out all jobs, some of them to itself only. */
static int give_out(struct lp_jobs *jobs, const struct plan *p, bool several)
{
	uint32_t next = 0, ended = 0, away = 0;
	uint8_t done[JOBS] = { 0 };
	struct lp_job_result r;
	int wrong = 0;

	for (;;) {
		const bool stopped = p->stop_after && ended >= p->stop_after;
		if (stopped)
			lp_jobs_stop(jobs);
		while (!stopped && next < JOBS && lp_jobs_has_room(jobs, next % 5 == 0)) {
			const uint8_t described = (uint8_t)(next % 200);
			wrong |= !lp_jobs_give(jobs, &(struct lp_rank_job){ next, fate_of(p, next) == ENDLESS ? 0.05 : 0, &described, 1 },
					       next % 5 == 0, NULL);
			next++;
		}
		if (!lp_jobs_running(jobs))
			break;
		lp_jobs_wait(jobs);
		while (lp_jobs_next(jobs, &r)) {
			wrong |= r.number >= next || done[r.number]++ || !is_right(p, &r, stopped) || (r.rank && r.number % 5 == 0);
			away += r.rank != 0;
			ended++;
		}
	}
	wrong |= ended != next || (!p->stop_after && ended != JOBS);
	return wrong || (several && !p->stop_after && !away);
}

static int run_rank(struct lp_ranks *ranks, void *closure)
{
	struct plan *p = closure;
	struct lp_jobs *jobs = lp_jobs_open(ranks, p->room, work, p);

	if (lp_jobs_serves(jobs))
		lp_jobs_serve(jobs);
	const int wrong = give_out(jobs, p, ranks && lp_ranks_count(ranks) > 1);
	lp_jobs_close(jobs);
	if (ranks)
		lp_ranks_dismiss(ranks);
	return wrong;
}

int main(void)
{
	static const uint32_t sizes[] = { 1, 2, 4, 7 };
	int status[64];

	printf("seeds 1 to 3\n");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct plan alone = { seed, (uint32_t)seed, 0 };
		EXPECT(!run_rank(NULL, &alone), "seed %llu: alone", (unsigned long long)seed);
		for (unsigned i = 0; i < 8; i++) {
			const struct switch_options options = { .ranks = sizes[i % 4], .seed = seed, .delay_us = seed == 1 ? 0 : 400 };
			struct plan p = { seed, 1 + (uint32_t)(seed + i) % 3, i < 4 ? 0 : 10 };
			switch_run(&options, run_rank, &p, 60, status);
			for (uint32_t rank = 0; rank < options.ranks; rank++)
				EXPECT(WIFEXITED(status[rank]) && !WEXITSTATUS(status[rank]), "seed %llu, rank %u of %u, stop after %u: status %x",
				       (unsigned long long)seed, rank, options.ranks, p.stop_after, (unsigned)status[rank]);
		}
	}
	return expect_status();
}
