/* jobs.c -- numbered jobs in this rank and in others. */
#include "ranks/jobs.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/alloc.h"
#include "ranks/job_process.h"

enum { ASK = 300, JOB, DONE, STOP }; /* tags of messages */
enum { TICK_MS = 100 };

struct lp_jobs {
	struct lp_ranks *ranks;   /* NULL: only this one */
	lp_job_work *work;
	void *closure;
	struct lp_job_process *at;
	uint32_t room, here;      /* of processes in this rank; how many there are */
	uint32_t *asked;          /* by rank: how many more it has room for */
	uint32_t away;            /* jobs in other ranks */
	bool stopped;             /* they know */
	struct lp_message last;   /* with the result that was last given out */
};

/* What comes before the bytes of a job, or of its result. */
struct job_head {
	uint32_t number;
	double seconds;
	int32_t status;
	uint8_t started, told, late;
};

struct lp_jobs *lp_jobs_open(struct lp_ranks *ranks, uint32_t room, lp_job_work *work, void *closure)
{
	struct lp_jobs *j = lp_alloc_zero(1, sizeof *j);

	*j = (struct lp_jobs){ .ranks = ranks, .work = work, .closure = closure, .room = room };
	j->at = lp_alloc_zero(room, sizeof *j->at);
	if (ranks)
		j->asked = lp_alloc_zero(lp_ranks_count(ranks), sizeof *j->asked);
	return j;
}

void lp_jobs_close(struct lp_jobs *j)
{
	if (!j)
		return;
	for (uint32_t i = 0; i < j->room; i++)
		lp_free(j->at[i].text.at);
	lp_message_drop(&j->last);
	lp_free(j->at);
	lp_free(j->asked);
	lp_free(j);
}

bool lp_jobs_serves(const struct lp_jobs *j)
{
	return j->ranks && lp_ranks_self(j->ranks);
}

/* ---- in this rank ---- */

static bool start_here(struct lp_jobs *j, const struct lp_rank_job *job)
{
	struct lp_job_process *free = j->at;

	while (free->process)
		free++;
	if (!lp_job_process_start(free, job, j->work, j->closure))
		return false;
	j->here++;
	return true;
}

static bool next_here(struct lp_jobs *j, struct lp_job_result *out)
{
	for (uint32_t i = 0; i < j->room; i++)
		if (lp_job_process_ended(&j->at[i])) {
			j->here--;
			*out = j->at[i].result;
			return true;
		}
	return false;
}

static void stop_here(struct lp_jobs *j)
{
	for (uint32_t i = 0; i < j->room; i++)
		lp_job_process_stop(&j->at[i]);
}

void lp_jobs_wait(struct lp_jobs *j)
{
	struct pollfd *fds = lp_alloc_zero((size_t)j->room + 1, sizeof *fds);

	for (uint32_t i = 0; i < j->room; i++)
		fds[i] = (struct pollfd){ .fd = j->at[i].process ? j->at[i].out : -1, .events = POLLIN };
	fds[j->room] = (struct pollfd){ .fd = j->ranks ? lp_ranks_descriptor(j->ranks) : -1, .events = POLLIN };
	poll(fds, j->room + 1, TICK_MS);
	lp_free(fds);
}

/* ---- messages ---- */

static void send(struct lp_jobs *j, uint32_t to, uint32_t tag, const struct job_head *head, const uint8_t *bytes, size_t size)
{
	struct lp_bytes all = { 0 };

	lp_bytes_put(&all, head, sizeof *head);
	lp_bytes_put(&all, bytes, size);
	lp_ranks_send(j->ranks, to, tag, all.at, all.count);
	lp_free(all.at);
}

static struct job_head head_of(const struct lp_message *m, struct lp_cursor *rest)
{
	struct job_head head;

	*rest = (struct lp_cursor){ m->bytes, m->size, false };
	if (!lp_cursor_get(rest, &head, sizeof head))
		LP_BUG("rank %u sends a message that is too short", m->from);
	return head;
}

/* ---- another rank ---- */

static void report(struct lp_jobs *j, const struct lp_job_result *r)
{
	send(j, 0, DONE, &(struct job_head){ r->number, r->seconds, r->status, r->started, r->told, r->late }, r->bytes, r->size);
}

static void obey(struct lp_jobs *j, const struct lp_message *m)
{
	struct lp_cursor rest;

	if (m->tag == STOP) {
		stop_here(j);
		return;
	}
	if (m->tag != JOB)
		LP_BUG("message %u from rank %u is not about jobs", m->tag, m->from);
	const struct job_head head = head_of(m, &rest);
	const struct lp_rank_job job = { head.number, head.seconds, rest.at, rest.left };
	if (!start_here(j, &job))
		report(j, &(struct lp_job_result){ .number = job.number });
}

void lp_jobs_serve(struct lp_jobs *j)
{
	struct lp_job_result result;
	struct lp_message m;

	lp_ranks_send(j->ranks, 0, ASK, &j->room, sizeof j->room);
	for (;;) {
		while (next_here(j, &result))
			report(j, &result);
		while (lp_ranks_receive(j->ranks, &m, 0)) { /* does not return when rank 0 is done */
			obey(j, &m);
			lp_message_drop(&m);
		}
		lp_jobs_wait(j);
	}
}

/* ---- rank 0 ---- */

/* A rank that has asked; 0 if there is none. */
static uint32_t free_rank(const struct lp_jobs *j)
{
	for (uint32_t i = 1; j->ranks && i < lp_ranks_count(j->ranks); i++)
		if (j->asked[i])
			return i;
	return 0;
}

bool lp_jobs_has_room(const struct lp_jobs *j, bool here)
{
	return j->here < j->room || (!here && free_rank(j));
}

uint32_t lp_jobs_running(const struct lp_jobs *j)
{
	return j->here + j->away;
}

bool lp_jobs_give(struct lp_jobs *j, const struct lp_rank_job *job, bool here, struct lp_error *error)
{
	const uint32_t to = here ? 0 : free_rank(j);

	if (!to)
		return start_here(j, job) || lp_fail(error, "cannot start a process: %s", strerror(errno));
	j->asked[to]--;
	j->away++;
	send(j, to, JOB, &(struct job_head){ .number = job->number, .seconds = job->seconds }, job->bytes, job->size);
	return true;
}

static void take_away(struct lp_jobs *j, struct lp_job_result *out)
{
	struct lp_cursor rest;
	const struct job_head head = head_of(&j->last, &rest);

	*out = (struct lp_job_result){ head.number, j->last.from, head.started, head.status, head.seconds, head.told, head.late, rest.at, rest.left };
	j->asked[j->last.from]++;
	j->away--;
}

bool lp_jobs_next(struct lp_jobs *j, struct lp_job_result *out)
{
	if (next_here(j, out))
		return true;
	lp_message_drop(&j->last);
	while (j->ranks && lp_ranks_receive(j->ranks, &j->last, 0)) {
		if (j->last.tag == DONE) {
			take_away(j, out);
			return true;
		}
		uint32_t more = 0;
		if (j->last.tag != ASK || j->last.size != sizeof more)
			LP_BUG("message %u from rank %u is not about jobs", j->last.tag, j->last.from);
		memcpy(&more, j->last.bytes, sizeof more);
		j->asked[j->last.from] += more;
		lp_message_drop(&j->last);
	}
	return false;
}

void lp_jobs_stop(struct lp_jobs *j)
{
	stop_here(j);
	for (uint32_t i = 1; j->ranks && !j->stopped && i < lp_ranks_count(j->ranks); i++)
		lp_ranks_send(j->ranks, i, STOP, NULL, 0);
	j->stopped = true;
}
