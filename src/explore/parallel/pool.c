/* pool.c -- work shared by processes, with the results in the order of a single walk. */
#define _GNU_SOURCE
#include "explore/parallel/pool.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "explore/parallel/open_work.h"
#include "explore/parallel/pool_inside.h"

enum {
	WAITING = 64,             /* maximum number of pieces without a worker */
	ITEM = 4 << 20,           /* the most bytes of a piece, unless the pool begins with a larger
	                           * one */
	DEATHS = 5,               /* how many workers may die at a piece without a record in between */
	PATIENCE_MS = 100,        /* a waiting worker checks the pool after this time */
};

/* ---- memory, lock, futexes ---- */

static size_t take(size_t *used, size_t size)
{
	const size_t at = *used;
	*used += (size + 4095) & ~(size_t)4095;
	return at;
}

static size_t largest_item(const struct lp_open_work *w)
{
	size_t most = ITEM;

	for (uint32_t i = 0; w && i < w->count; i++)
		if (w->at[i].size > most)
			most = w->at[i].size;
	return most;
}

struct lp_pool *lp_pool_open(uint32_t workers, const struct lp_open_work *work)
{
	const uint32_t room = 3 * workers + WAITING + (work ? work->count : 0);
	const size_t item_room = largest_item(work);
	size_t size = 0;
	const size_t self = take(&size, sizeof(struct lp_pool));
	const size_t pieces = take(&size, room * sizeof(struct lp_pool_slot));
	const size_t idle = take(&size, workers * sizeof(bool));
	const size_t items = take(&size, room * item_room);
	const size_t counts = take(&size, (room + 1) * sizeof(uint64_t) * LP_POOL_ROOM);
	const size_t text = take(&size, sizeof(uint32_t) * LP_POOL_ROOM);
	const size_t texts = take(&size, LP_POOL_TEXTS);
	const size_t frame = take(&size, LP_POOL_FRAME);
	uint8_t *m = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (m == MAP_FAILED)
		return NULL;
	struct lp_pool *p = (struct lp_pool *)(m + self);
	p->piece = (struct lp_pool_slot *)(m + pieces);
	p->idle = (bool *)(m + idle);
	p->workers = workers;
	p->items.room = item_room;
	p->items.at = m + items;
	p->outcomes = (uint64_t *)(m + counts);
	p->last_outcomes = p->outcomes + (size_t)room * LP_POOL_ROOM;
	p->texts.at = (uint32_t *)(m + text);
	p->texts.bytes = (char *)m + texts;
	p->frame.at = m + frame;
	p->size = size;
	p->room = room;

	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&p->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);

	p->first = p->last = LP_NO_PIECE;
	p->parts = !work;
	if (work)
		lp_pool_fill(p, work);
	return p;
}

void lp_pool_close(struct lp_pool *p)
{
	pthread_mutex_destroy(&p->lock);
	munmap(p, p->size);
}

static void wait_for_change(_Atomic uint32_t *word, uint32_t seen, unsigned milliseconds)
{
	const struct timespec t = { milliseconds / 1000, milliseconds % 1000 * 1000000L };
	syscall(SYS_futex, word, FUTEX_WAIT, seen, &t, NULL, 0);
}

void lp_pool_wake(_Atomic uint32_t *word, int how_many)
{
	syscall(SYS_futex, word, FUTEX_WAKE, how_many, NULL, NULL, 0);
}

void lp_pool_stop(struct lp_pool *p, enum lp_pool_stop reason)
{
	uint32_t runs = LP_POOL_RUNS;

	if (atomic_compare_exchange_strong(&p->stop, &runs, reason)) {
		atomic_fetch_add(&p->news, 1);
		lp_pool_wake(&p->stop, INT32_MAX);
		lp_pool_wake(&p->news, INT32_MAX);
	}
}

enum lp_pool_stop lp_pool_stopped(const struct lp_pool *p)
{
	return atomic_load_explicit(&p->stop, memory_order_acquire);
}

bool lp_pool_stop_keeps_rest(enum lp_pool_stop stop)
{
	return stop == LP_POOL_TIME || stop == LP_POOL_INTERRUPTED || stop == LP_POOL_EXECUTIONS;
}

bool lp_pool_keeps_rest(const struct lp_pool *p)
{
	return lp_pool_stop_keeps_rest(lp_pool_stopped(p));
}

void lp_pool_wait(struct lp_pool *p, unsigned milliseconds)
{
	if (lp_pool_stopped(p) == LP_POOL_RUNS)
		wait_for_change(&p->stop, LP_POOL_RUNS, milliseconds);
}

/* Has a worker taken it, and neither finished nor left it? */
static bool is_taken(const struct lp_pool *p, lp_piece n)
{
	return n < p->room && (p->piece[n].state == LP_PIECE_RUNNING || p->piece[n].state == LP_PIECE_CANCELLED);
}

void lp_pool_discard(struct lp_pool *p)
{
	p->discarded = true;
	lp_pool_stop(p, LP_POOL_TORN);
}

/* The list may be torn.  So that it can be walked through, it is emptied; workers leave what they are at. */
static void empty(struct lp_pool *p)
{
	p->first = p->last = LP_NO_PIECE;
	p->queued = p->running = 0;
	for (lp_piece n = 0; n < p->room; n++) {
		p->piece[n].cancelled = is_taken(p, n);
		p->piece[n].state = p->piece[n].cancelled ? LP_PIECE_CANCELLED : LP_PIECE_FREE;
	}
}

/* A process that died with the lock may have left the pool in any state, also after the pool has been stopped. */
void lp_pool_lock(struct lp_pool *p)
{
	if (pthread_mutex_lock(&p->lock) == EOWNERDEAD) {
		pthread_mutex_consistent(&p->lock);
		lp_pool_discard(p);
		empty(p);
	}
}

bool lp_pool_is_discarded(struct lp_pool *p)
{
	lp_pool_lock(p); /* perhaps the last process died with it */
	const bool discarded = p->discarded;
	lp_pool_unlock(p);
	return discarded;
}

/* With the lock held, from here on. */

static uint32_t count_idle(const struct lp_pool *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->workers; i++)
		n += p->idle[i];
	return n;
}

void lp_pool_unlock(struct lp_pool *p)
{
	const uint32_t idle = count_idle(p), hungry = idle > p->queued ? idle - p->queued : 0;
	const bool done = !p->parts && !p->queued && !p->running;
	LP_VALID(lp_pool_validate(p));

	if (atomic_load_explicit(&p->hungry, memory_order_relaxed) != hungry)
		atomic_store_explicit(&p->hungry, hungry, memory_order_relaxed);
	pthread_mutex_unlock(&p->lock);
	if (done)
		lp_pool_stop(p, LP_POOL_DONE);
}

/* The piece that the worker was at; LP_NO_PIECE if it was at none. */
static lp_piece piece_of(const struct lp_pool *p, uint32_t worker)
{
	for (lp_piece n = 0; n < p->room; n++)
		if (is_taken(p, n) && p->piece[n].worker == worker)
			return n;
	return LP_NO_PIECE;
}

/* ---- by workers ---- */

lp_piece lp_pool_take(struct lp_pool *p, uint32_t worker, const uint8_t **bytes)
{
	lp_piece n = LP_NO_PIECE;

	lp_pool_lock(p);
	while (lp_pool_stopped(p) == LP_POOL_RUNS && (n = lp_pool_first_queued(p)) == LP_NO_PIECE) {
		const uint32_t seen = atomic_load(&p->news);
		p->idle[worker] = true;
		lp_pool_unlock(p);
		wait_for_change(&p->news, seen, PATIENCE_MS);
		lp_pool_lock(p);
		p->idle[worker] = false;
	}
	LP_HOLDS(worker < p->workers && piece_of(p, worker) == LP_NO_PIECE);
	if (n != LP_NO_PIECE) {
		LP_HOLDS(!p->piece[n].cancelled && p->queued && p->piece[n].size);
		p->piece[n].state = LP_PIECE_RUNNING;
		p->piece[n].worker = worker;
		p->queued--;
		p->running++;
		*bytes = lp_pool_item_of(p, n);
	}
	lp_pool_unlock(p);
	return n;
}

/* Is the piece the last one of its part, and does another machine wait for a piece? */
static bool is_wanted_abroad(const struct lp_pool *p, lp_piece n)
{
	const lp_piece after = p->piece[n].after;

	return atomic_load_explicit(&p->abroad, memory_order_relaxed) && after != LP_NO_PIECE && p->piece[after].state == LP_PIECE_BORDER;
}

bool lp_pool_is_hungry(const struct lp_pool *p, lp_piece giver)
{
	return atomic_load_explicit(&p->hungry, memory_order_relaxed) || is_wanted_abroad(p, giver);
}

bool lp_pool_is_over(const struct lp_pool *p, lp_piece n)
{
	return atomic_load_explicit(&p->piece[n].cancelled, memory_order_relaxed) ||
	       atomic_load_explicit(&p->stop, memory_order_relaxed);
}

/* Replaces the item of the piece by what is left of the piece, and adds the counts. */
static void record(struct lp_pool *p, lp_piece n, const struct lp_pool_record *r)
{
	struct lp_pool_slot *piece = &p->piece[n];

	LP_HOLDS(is_taken(p, n));
	if (piece->state != LP_PIECE_RUNNING)
		return;
	piece->outdated = r->rest->count > p->items.room;
	if (piece->outdated)
		return;
	LP_AGREES(lp_item_is_whole(r->rest->at, r->rest->count));
	piece->deaths = 0;
	lp_pool_add_counts(p, n, &r->counts, r->outcomes, r->outcome_count);
	p->ended.executions += r->counts.executions;
	p->ended.blocked += r->counts.blocked;
	lp_pool_tell(p, n, 0, 0);
	lp_pool_set_item(p, n, r->rest->at, r->rest->count);
}

bool lp_pool_record(struct lp_pool *p, lp_piece n, const struct lp_pool_record *r)
{
	lp_pool_lock(p);
	record(p, n, r);
	const bool recorded = !p->piece[n].outdated;
	lp_pool_unlock(p);
	return recorded;
}

static lp_piece give_away(struct lp_pool *p, lp_piece giver, const struct lp_bytes *bytes, double from)
{
	const lp_piece n = lp_pool_queue_after(p, giver, bytes->at, bytes->count, from, p->piece[giver].end);

	LP_HOLDS(p->piece[giver].state == LP_PIECE_RUNNING && p->piece[giver].after == n);
	p->piece[giver].end = from;
	return n;
}

bool lp_pool_give(struct lp_pool *p, lp_piece giver, const struct lp_bytes *bytes, double from)
{
	lp_piece n = LP_NO_PIECE;

	if (bytes->count > p->items.room)
		return false;
	lp_pool_lock(p);
	const bool wanted = count_idle(p) > p->queued || is_wanted_abroad(p, giver);
	if (wanted && p->piece[giver].state == LP_PIECE_RUNNING && lp_pool_find_free(p) != LP_NO_PIECE) {
		n = give_away(p, giver, bytes, from);
		p->piece[giver].outdated = true;
	}
	lp_pool_unlock(p);
	if (n != LP_NO_PIECE)
		lp_pool_wake(&p->news, 1);
	return n != LP_NO_PIECE;
}

void lp_pool_tell(struct lp_pool *p, lp_piece n, uint64_t executions, uint64_t blocked)
{
	atomic_store_explicit(&p->piece[n].executions, executions, memory_order_relaxed);
	atomic_store_explicit(&p->piece[n].blocked, blocked, memory_order_relaxed);
}

uint64_t lp_pool_count(struct lp_pool *p, uint64_t executions)
{
	return atomic_fetch_add(&p->counted, executions) + executions;
}

void lp_pool_tell_visited(struct lp_pool *p, lp_piece n, double visited)
{
	atomic_store_explicit(&p->piece[n].visited, visited, memory_order_relaxed);
}

void lp_pool_finish(struct lp_pool *p, lp_piece n, const struct lp_pool_counts *counts,
		    const struct lp_outcome *outcomes, uint32_t count)
{
	lp_pool_lock(p);
	LP_HOLDS(is_taken(p, n));
	lp_pool_tell(p, n, counts->executions, counts->blocked);
	if (p->piece[n].state == LP_PIECE_RUNNING) {
		lp_pool_add_counts(p, p->piece[n].after, counts, outcomes, count);
		lp_pool_pass_on(p, n);
		lp_pool_take_out(p, n);
		LP_HOLDS(p->running);
		p->running--;
	}
	lp_pool_release(p, n);
	lp_pool_unlock(p);
}

/* Removes the pieces after piece n in its part. */
static void cut_after(struct lp_pool *p, lp_piece n)
{
	lp_piece after;
	LP_HOLDS(p->piece[n].state == LP_PIECE_RUNNING);

	while (!lp_pool_is_border(p, after = p->piece[n].after))
		lp_pool_cancel_piece(p, after);
	lp_pool_clear_counts(p, after);
}

/* Keeps the frame of the error.  One frame is enough, unless there are parts, because this machine does not know which part
 * comes first. */
static void put_frame(struct lp_pool *p, lp_piece n, struct lp_pool_failure failure)
{
	const size_t room = p->parts ? p->items.room : LP_POOL_FRAME, size = failure.frame->count <= room ? failure.frame->count : 0;

	p->piece[n].visited = failure.visited;
	if (p->parts) {
		lp_pool_set_item(p, n, failure.frame->at, size);
		return;
	}
	lp_pool_set_frame(p, failure.frame->at, size, failure.visited);
}

void lp_pool_fail(struct lp_pool *p, lp_piece n, const struct lp_pool_counts *counts,
		  const struct lp_outcome *outcomes, uint32_t count, struct lp_pool_failure failure)
{
	lp_pool_lock(p);
	LP_HOLDS(is_taken(p, n));
	lp_pool_tell(p, n, counts->executions, counts->blocked);
	if (p->piece[n].state == LP_PIECE_RUNNING) {
		cut_after(p, n);
		lp_pool_add_counts(p, n, counts, outcomes, count);
		p->piece[n].state = LP_PIECE_FAILED;
		p->running--;
		put_frame(p, n, failure);
	} else {
		lp_pool_release(p, n);
	}
	lp_pool_unlock(p);
}

/* The worker is gone.  Its work since the last record is lost, and will be done again. */
static enum lp_pool_stop put_back(struct lp_pool *p, lp_piece n)
{
	struct lp_pool_slot *piece = &p->piece[n];

	lp_pool_tell(p, n, 0, 0);
	if (piece->state == LP_PIECE_CANCELLED) {
		lp_pool_release(p, n);
		return LP_POOL_RUNS;
	}
	if (piece->outdated)
		return LP_POOL_TORN;
	LP_HOLDS(piece->state == LP_PIECE_RUNNING && piece->size);
	if (++piece->deaths > DEATHS)
		return LP_POOL_LOST;
	piece->state = LP_PIECE_QUEUED;
	p->running--;
	p->queued++;
	return LP_POOL_RUNS;
}

void lp_pool_lose(struct lp_pool *p, uint32_t worker)
{
	enum lp_pool_stop stop = LP_POOL_RUNS;

	lp_pool_lock(p);
	p->idle[worker] = false;
	const lp_piece n = piece_of(p, worker);
	if (n != LP_NO_PIECE)
		stop = put_back(p, n);
	if (stop == LP_POOL_TORN && lp_pool_stopped(p) == LP_POOL_RUNS)
		lp_pool_discard(p);
	else if (stop != LP_POOL_RUNS)
		lp_pool_stop(p, stop);
	atomic_fetch_add(&p->news, 1);
	lp_pool_unlock(p);
	lp_pool_wake(&p->news, 1);
}

void lp_pool_leave(struct lp_pool *p, lp_piece n)
{
	lp_pool_lock(p);
	LP_HOLDS(is_taken(p, n));
	lp_pool_tell(p, n, 0, 0);
	if (p->piece[n].state == LP_PIECE_RUNNING) {
		p->piece[n].state = LP_PIECE_QUEUED;
		p->running--;
		p->queued++;
	} else {
		lp_pool_release(p, n);
	}
	lp_pool_unlock(p);
}

void lp_pool_give_up(struct lp_pool *p, const char *reason)
{
	lp_pool_lock(p);
	if (!p->reason[0])
		snprintf(p->reason, sizeof p->reason, "%s", reason);
	lp_pool_stop(p, LP_POOL_GAVE_UP); /* before the piece is finished, which may be the last */
	lp_pool_unlock(p);
}

/* ---- by the parent ---- */

const char *lp_pool_reason(const struct lp_pool *p)
{
	return p->reason;
}

double lp_pool_left(const struct lp_pool *p)
{
	double left = 0;

	for (lp_piece n = 0; n < p->room; n++)
		if (p->piece[n].state == LP_PIECE_RUNNING || p->piece[n].state == LP_PIECE_QUEUED)
			left += p->piece[n].end - p->piece[n].visited;
	return left;
}

void lp_pool_progress(const struct lp_pool *p, struct lp_progress *out)
{
	const double left = lp_pool_left(p);

	/* Without the lock: it is a progress line. */
	*out = (struct lp_progress){ p->ended.executions, p->ended.blocked, 0 };
	for (lp_piece n = 0; n < p->room; n++) {
		const struct lp_pool_slot *piece = &p->piece[n];
		if (piece->state == LP_PIECE_FREE)
			continue;
		out->executions += piece->executions;
		out->blocked += piece->blocked;
	}
	if (left > 0 && left < 1)
		out->estimate = (double)out->executions / (1 - left);
}

/* Returns the first piece that failed.  If pieces before it were left in the middle, their counts
 * are added to it, or to the end of the list. */
static lp_piece failed_piece(struct lp_pool *p)
{
	lp_piece n;

	while ((n = p->first) != LP_NO_PIECE && p->piece[n].state != LP_PIECE_FAILED) {
		lp_pool_pass_on(p, n);
		lp_pool_take_out(p, n);
	}
	return n;
}

void lp_pool_result(struct lp_pool *p, struct lp_pool_result *out)
{
	const lp_piece n = failed_piece(p);

	LP_HOLDS(n == p->first && (n == LP_NO_PIECE || p->parts || p->piece[n].after == LP_NO_PIECE));
	*out = (struct lp_pool_result){ *lp_pool_counts_of(p, n), n != LP_NO_PIECE, p->frame.visited,
					p->frame.size ? p->frame.at : NULL };
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct lp_outcome *)a)->text, ((const struct lp_outcome *)b)->text);
}

const struct lp_outcome *lp_pool_outcomes(struct lp_pool *p, struct lp_arena *arena, uint32_t *count)
{
	struct lp_outcome *outcomes = lp_arena_alloc(arena, sizeof *outcomes * p->texts.count);
	const uint64_t *counted = lp_pool_outcomes_of(p, failed_piece(p));

	*count = 0;
	for (uint32_t i = 0; i < p->texts.count; i++)
		if (counted[i])
			outcomes[(*count)++] = (struct lp_outcome){
				lp_arena_strdup(arena, p->texts.bytes + p->texts.at[i]), counted[i] };
	if (*count)
		qsort(outcomes, *count, sizeof *outcomes, by_text);
	return outcomes;
}

/* ---- two levels ---- */

bool lp_pool_try_take(struct lp_pool *p, uint32_t worker, struct lp_pool_piece *out)
{
	lp_pool_lock(p);
	LP_HOLDS(worker < p->workers);
	const lp_piece n = lp_pool_stopped(p) == LP_POOL_RUNS ? lp_pool_first_queued(p) : LP_NO_PIECE;
	p->idle[worker] = n == LP_NO_PIECE;
	if (n != LP_NO_PIECE) {
		struct lp_pool_slot *piece = &p->piece[n];
		piece->state = LP_PIECE_RUNNING;
		piece->worker = worker;
		p->queued--;
		p->running++;
		*out = (struct lp_pool_piece){ n, lp_pool_item_of(p, n), piece->size, piece->visited, piece->end };
	}
	lp_pool_unlock(p);
	return n != LP_NO_PIECE;
}

void lp_pool_begin_with(struct lp_pool *p, const struct lp_pool_counts *counts, const struct lp_outcome *outcomes, uint32_t count)
{
	lp_pool_lock(p);
	lp_pool_add_counts(p, p->first, counts, outcomes, count);
	lp_pool_unlock(p);
}

uint32_t lp_pool_hunger(const struct lp_pool *p)
{
	return atomic_load_explicit(&p->hungry, memory_order_relaxed);
}

bool lp_pool_accept(struct lp_pool *p, lp_piece giver, const struct lp_bytes *bytes, double from, struct lp_cursor *after)
{
	struct lp_pool_counted counted;
	bool room = true;

	lp_pool_get_counted(&counted, after);
	lp_pool_lock(p);
	if (giver < p->room && p->piece[giver].state == LP_PIECE_RUNNING) {
		room = lp_pool_find_free(p) != LP_NO_PIECE && bytes->count <= p->items.room && !after->bad;
		if (room) {
			const lp_piece n = give_away(p, giver, bytes, from);
			lp_pool_add_counts(p, p->piece[n].after, &counted.counts, counted.outcomes.at, counted.outcomes.count);
		}
	}
	lp_pool_unlock(p);
	lp_pool_drop_counted(&counted);
	return room;
}

void lp_pool_foresee(struct lp_pool *p, lp_piece n)
{
	lp_pool_lock(p);
	if (n < p->room && p->piece[n].state == LP_PIECE_RUNNING)
		cut_after(p, n);
	lp_pool_unlock(p);
}

lp_piece lp_pool_next_cancelled(struct lp_pool *p, lp_piece n, uint32_t *worker)
{
	for (; n < p->room; n++)
		if (p->piece[n].state == LP_PIECE_CANCELLED && !p->piece[n].told) {
			p->piece[n].told = true;
			*worker = p->piece[n].worker;
			return n;
		}
	return LP_NO_PIECE;
}

