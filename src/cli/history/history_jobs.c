/* history_jobs.c -- checks several files at a time, in other processes
 * (history_jobs.h). */
#include "cli/history/history_jobs.h"

#include <string.h>

#include "base/alloc.h"
#include "ranks/jobs.h"
#include "verify/interrupt.h"

enum { JOBS_EACH = 16, MOST_FILES = 64 }; /* of a process, and of a job */

enum file_state { WAITS, ENDED, ANSWERED };

struct lp_history_jobs {
	struct lp_jobs *jobs;
	lp_history_work *work;
	void *closure;
	uint32_t count, batch; /* files, and how many of them are a job */
	uint32_t next;         /* the first that was not given out */
	uint32_t settled;
	uint8_t *state;        /* of each: enum file_state */
	struct lp_history_done *done;
};

/* What a job is about; and before each answer, which one it is. */
struct files {
	uint32_t first, end;
};

static void check_batch(void *closure, const struct lp_rank_job *job)
{
	const struct lp_history_jobs *j = closure;
	struct lp_cursor from = { job->bytes, job->size, false };
	struct files f;

	lp_cursor_get(&from, &f, sizeof f);
	for (uint32_t i = f.first; i < f.end && i < j->count; i++) {
		struct lp_history_done answer;
		memset(&answer, 0, sizeof answer);
		j->work(j->closure, i, &answer);
		lp_job_write(&i, sizeof i);
		lp_job_write(&answer, sizeof answer);
	}
}

static uint32_t batch_of(uint32_t count, uint32_t processes)
{
	const uint32_t batch = count / (processes * JOBS_EACH);

	return batch < 1 ? 1 : batch > MOST_FILES ? MOST_FILES : batch;
}

struct lp_history_jobs *lp_history_jobs_open(struct lp_ranks *ranks, uint32_t processes, uint32_t count, lp_history_work *work, void *closure)
{
	struct lp_history_jobs *j = lp_alloc_zero(1, sizeof *j);

	*j = (struct lp_history_jobs){ .work = work, .closure = closure, .count = count };
	j->batch = batch_of(count, processes * (ranks ? lp_ranks_count(ranks) : 1));
	j->state = lp_alloc_zero(count, sizeof *j->state);
	j->done = lp_alloc_zero(count, sizeof *j->done);
	j->jobs = lp_jobs_open(ranks, processes, check_batch, j);
	if (lp_jobs_serves(j->jobs))
		lp_jobs_serve(j->jobs);
	return j;
}

void lp_history_jobs_close(struct lp_history_jobs *j)
{
	if (!j)
		return;
	lp_jobs_close(j->jobs);
	lp_free(j->state);
	lp_free(j->done);
	lp_free(j);
}

static void settle(struct lp_history_jobs *j, uint32_t i, enum file_state state)
{
	j->settled += j->state[i] < ENDED;
	j->state[i] = (uint8_t)state;
}

static struct files files_of(const struct lp_history_jobs *j, uint32_t job)
{
	const uint32_t first = job * j->batch, left = j->count - first;

	return (struct files){ first, first + (left < j->batch ? left : j->batch) };
}

static void give_some(struct lp_history_jobs *j)
{
	while (j->next < j->count && lp_jobs_has_room(j->jobs, false)) {
		const uint32_t number = j->next / j->batch;
		const struct files f = files_of(j, number);
		struct lp_error ignored; /* then this process checks them */
		const bool given = lp_jobs_give(j->jobs, &(struct lp_rank_job){ number, 0, (const uint8_t *)&f, sizeof f }, false, &ignored);
		for (; j->next < f.end; j->next++)
			if (!given)
				settle(j, j->next, ENDED);
	}
}

/* Whole answers; a process that was killed may have left part of one. */
static void take(struct lp_history_jobs *j, const struct lp_job_result *r)
{
	struct lp_cursor from = { r->bytes, r->size, false };
	const struct files f = files_of(j, r->number);

	while (from.left >= sizeof(uint32_t) + sizeof *j->done) {
		const uint32_t i = lp_cursor_u32(&from);
		struct lp_history_done answer;
		lp_cursor_get(&from, &answer, sizeof answer);
		if (i < f.first || i >= f.end)
			break;
		j->done[i] = answer;
		settle(j, i, ANSWERED);
	}
	for (uint32_t i = f.first; i < f.end; i++)
		if (j->state[i] != ANSWERED)
			settle(j, i, ENDED);
}

void lp_history_jobs_turn(struct lp_history_jobs *j, bool wait)
{
	struct lp_job_result r;
	bool any = false;

	for (; lp_jobs_next(j->jobs, &r); any = true)
		take(j, &r);
	if (!lp_interrupt_reason()) {
		give_some(j);
	} else {
		lp_jobs_stop(j->jobs);
		for (; j->next < j->count; j->next++)
			settle(j, j->next, ENDED);
	}
	if (wait && !any && lp_jobs_running(j->jobs))
		lp_jobs_wait(j->jobs);
}

uint32_t lp_history_jobs_settled(const struct lp_history_jobs *j)
{
	return j->settled;
}

bool lp_history_jobs_is_settled(const struct lp_history_jobs *j, uint32_t i)
{
	return j->state[i] >= ENDED;
}

const struct lp_history_done *lp_history_jobs_answer(const struct lp_history_jobs *j, uint32_t i)
{
	return j->state[i] == ANSWERED ? &j->done[i] : NULL;
}
