/* pool.c -- work shared by processes, and what came of it, in the order of one walk. */
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
	ITEM = 4 << 20,           /* bytes of a piece, unless there is a larger one at the beginning */
	DEATHS = 5,               /* workers that a piece may cost before something is recorded */
	TEXTS = 64 << 20,         /* bytes of outcomes */
	FRAME = 1 << 30,          /* of the frame of an error */
	PATIENCE_MS = 100,        /* a waiting worker looks up now and then */
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
	const size_t texts = take(&size, TEXTS);
	const size_t frame = take(&size, FRAME);
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

static void wake(_Atomic uint32_t *word, int how_many)
{
	syscall(SYS_futex, word, FUTEX_WAKE, how_many, NULL, NULL, 0);
}

void lp_pool_stop(struct lp_pool *p, enum lp_pool_stop reason)
{
	uint32_t runs = LP_POOL_RUNS;

	if (atomic_compare_exchange_strong(&p->stop, &runs, reason)) {
		atomic_fetch_add(&p->news, 1);
		wake(&p->stop, INT32_MAX);
		wake(&p->news, INT32_MAX);
	}
}

enum lp_pool_stop lp_pool_stopped(const struct lp_pool *p)
{
	return atomic_load_explicit(&p->stop, memory_order_acquire);
}

void lp_pool_wait(struct lp_pool *p, unsigned milliseconds)
{
	if (lp_pool_stopped(p) == LP_POOL_RUNS)
		wait_for_change(&p->stop, LP_POOL_RUNS, milliseconds);
}

/* Who died with the lock may have left anything behind: nothing of it is to be used. */
void lp_pool_lock(struct lp_pool *p)
{
	if (pthread_mutex_lock(&p->lock) == EOWNERDEAD) {
		pthread_mutex_consistent(&p->lock);
		lp_pool_stop(p, LP_POOL_TORN);
	}
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
	LP_VALID(lp_pool_stopped(p) == LP_POOL_TORN || lp_pool_validate(p));

	if (atomic_load_explicit(&p->hungry, memory_order_relaxed) != hungry)
		atomic_store_explicit(&p->hungry, hungry, memory_order_relaxed);
	pthread_mutex_unlock(&p->lock);
	if (done)
		lp_pool_stop(p, LP_POOL_DONE);
}

/* ---- the list ---- */

/* Of LP_NO_PIECE: the list is empty. */
static void link_after(struct lp_pool *p, lp_piece n, lp_piece before)
{
	struct lp_pool_slot *piece = &p->piece[n];

	piece->before = before;
	piece->after = before == LP_NO_PIECE ? p->first : p->piece[before].after;
	*(before == LP_NO_PIECE ? &p->first : &p->piece[before].after) = n;
	if (piece->after != LP_NO_PIECE)
		p->piece[piece->after].before = n;
	else
		p->last = n;
}

static void take_out(struct lp_pool *p, lp_piece n)
{
	const struct lp_pool_slot *piece = &p->piece[n];

	if (piece->before != LP_NO_PIECE)
		p->piece[piece->before].after = piece->after;
	else
		p->first = piece->after;
	if (piece->after != LP_NO_PIECE)
		p->piece[piece->after].before = piece->before;
	else
		p->last = piece->before;
}

static void clear_counts(struct lp_pool *p, lp_piece n)
{
	*lp_pool_counts_of(p, n) = (struct lp_pool_counts){ 0 };
	memset(lp_pool_outcomes_of(p, n), 0, sizeof(uint64_t) * p->texts.count);
}

static void release(struct lp_pool *p, lp_piece n)
{
	struct lp_pool_slot *piece = &p->piece[n];

	/* What was told of it stays told. */
	p->executions += piece->executions;
	p->blocked += piece->blocked;
	piece->state = LP_PIECE_FREE;
}

static lp_piece find_free(const struct lp_pool *p)
{
	for (lp_piece n = 0; n < p->room; n++)
		if (p->piece[n].state == LP_PIECE_FREE)
			return n;
	return LP_NO_PIECE;
}

/* ---- outcomes ---- */

/* The number of an outcome; LP_POOL_ROOM if there is no room for it. */
static uint32_t number_of(struct lp_pool *p, const char *text)
{
	const size_t size = strlen(text) + 1;

	for (uint32_t i = 0; i < p->texts.count; i++)
		if (!strcmp(p->texts.bytes + p->texts.at[i], text))
			return i;
	if (p->texts.count == LP_POOL_ROOM || p->texts.used + size > TEXTS)
		return LP_POOL_ROOM;
	memcpy(p->texts.bytes + p->texts.used, text, size);
	p->texts.at[p->texts.count] = p->texts.used;
	p->texts.used += (uint32_t)size;
	return p->texts.count++; /* counts of it are zero everywhere */
}

void lp_pool_counts_add(struct lp_pool_counts *to, const struct lp_pool_counts *counts)
{
	to->executions += counts->executions;
	to->blocked += counts->blocked;
	to->abandoned += counts->abandoned;
	to->cut += counts->cut;
	to->left += counts->left;
	if (counts->left_pc && (!to->left_pc || counts->left_pc < to->left_pc))
		to->left_pc = counts->left_pc;
}

void lp_pool_add_counts(struct lp_pool *p, lp_piece to, const struct lp_pool_counts *counts,
		       const struct lp_outcome *outcomes, uint32_t count)
{
	uint64_t *o = lp_pool_outcomes_of(p, to);

	lp_pool_counts_add(lp_pool_counts_of(p, to), counts);
	for (uint32_t i = 0; i < count; i++) {
		if (!outcomes[i].executions)
			continue;
		const uint32_t n = number_of(p, outcomes[i].text);
		if (n == LP_POOL_ROOM)
			lp_pool_stop(p, LP_POOL_OUTCOMES);
		else
			o[n] += outcomes[i].executions;
	}
}

/* What was done before piece n was done before the one after it, too. */
static void pass_on(struct lp_pool *p, lp_piece n)
{
	const lp_piece after = p->piece[n].after;
	const uint64_t *from = lp_pool_outcomes_of(p, n);
	uint64_t *to = lp_pool_outcomes_of(p, after);

	lp_pool_counts_add(lp_pool_counts_of(p, after), &p->piece[n].done);
	for (uint32_t i = 0; i < p->texts.count; i++)
		to[i] += from[i];
}

void lp_pool_set_item(struct lp_pool *p, lp_piece n, const uint8_t *bytes, size_t size)
{
	p->piece[n].size = (uint32_t)size;
	memcpy(lp_pool_item_of(p, n), bytes, size);
}

/* The error that a piece has failed with. */
void lp_pool_set_frame(struct lp_pool *p, const uint8_t *bytes, size_t size, double visited)
{
	p->frame.visited = visited;
	p->frame.size = size <= FRAME ? size : 0;
	memcpy(p->frame.at, bytes, p->frame.size);
}

/* ---- by workers ---- */

static lp_piece first_queued(const struct lp_pool *p)
{
	for (lp_piece n = p->queued ? p->first : LP_NO_PIECE; n != LP_NO_PIECE;
	     n = p->piece[n].after)
		if (p->piece[n].state == LP_PIECE_QUEUED)
			return n;
	return LP_NO_PIECE;
}

lp_piece lp_pool_take(struct lp_pool *p, uint32_t worker, const uint8_t **bytes)
{
	lp_piece n = LP_NO_PIECE;

	lp_pool_lock(p);
	while (lp_pool_stopped(p) == LP_POOL_RUNS && (n = first_queued(p)) == LP_NO_PIECE) {
		const uint32_t seen = atomic_load(&p->news);
		p->idle[worker] = true;
		lp_pool_unlock(p);
		wait_for_change(&p->news, seen, PATIENCE_MS);
		lp_pool_lock(p);
		p->idle[worker] = false;
	}
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

/* Is the piece the last one of a part, of which another machine wants the end? */
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

/* The piece is now only what is left of it. */
static void record(struct lp_pool *p, lp_piece n, const struct lp_pool_record *r)
{
	struct lp_pool_slot *piece = &p->piece[n];

	if (piece->state != LP_PIECE_RUNNING)
		return;
	piece->outdated = r->rest->count > p->items.room;
	if (piece->outdated)
		return;
	LP_AGREES(lp_item_is_whole(r->rest->at, r->rest->count));
	piece->deaths = 0;
	lp_pool_add_counts(p, n, &r->counts, r->outcomes, r->outcome_count);
	p->executions += r->counts.executions;
	p->blocked += r->counts.blocked;
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

/* A new piece that waits, after another one.  There must be room. */
static lp_piece queue_after(struct lp_pool *p, lp_piece before, const uint8_t *bytes, size_t size, double from, double end)
{
	const lp_piece n = find_free(p);

	p->piece[n] = (struct lp_pool_slot){ .state = LP_PIECE_QUEUED, .visited = from, .end = end };
	clear_counts(p, n);
	lp_pool_set_item(p, n, bytes, size);
	link_after(p, n, before);
	p->queued++;
	atomic_fetch_add(&p->news, 1);
	return n;
}

static lp_piece give_away(struct lp_pool *p, lp_piece giver, const struct lp_bytes *bytes, double from)
{
	const lp_piece n = queue_after(p, giver, bytes->at, bytes->count, from, p->piece[giver].end);

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
	if (wanted && p->piece[giver].state == LP_PIECE_RUNNING && find_free(p) != LP_NO_PIECE) {
		n = give_away(p, giver, bytes, from);
		p->piece[giver].outdated = true;
	}
	lp_pool_unlock(p);
	if (n != LP_NO_PIECE)
		wake(&p->news, 1);
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
	lp_pool_tell(p, n, counts->executions, counts->blocked);
	if (p->piece[n].state == LP_PIECE_RUNNING) {
		lp_pool_add_counts(p, p->piece[n].after, counts, outcomes, count);
		pass_on(p, n);
		take_out(p, n);
		p->running--;
	}
	release(p, n);
	lp_pool_unlock(p);
}

/* Takes out a piece that is not to be explored. */
static void cancel(struct lp_pool *p, lp_piece n)
{
	struct lp_pool_slot *piece = &p->piece[n];

	take_out(p, n);
	if (piece->state == LP_PIECE_RUNNING) {
		piece->state = LP_PIECE_CANCELLED; /* its worker releases it */
		piece->told = false;
		atomic_store(&piece->cancelled, true);
		p->running--;
	} else {
		p->queued -= piece->state == LP_PIECE_QUEUED;
		release(p, n);
	}
}

static bool is_border(const struct lp_pool *p, lp_piece n)
{
	return n == LP_NO_PIECE || p->piece[n].state == LP_PIECE_BORDER;
}

/* Takes out everything after piece n, as far as its part goes. */
static void cut_after(struct lp_pool *p, lp_piece n)
{
	lp_piece after;
	LP_HOLDS(p->piece[n].state == LP_PIECE_RUNNING);

	while (!is_border(p, after = p->piece[n].after))
		cancel(p, after);
	clear_counts(p, after);
}

/* Keeps the frame of the error: one is enough, unless there are parts, of which it is not known here which comes first. */
static void put_frame(struct lp_pool *p, lp_piece n, struct lp_pool_failure failure)
{
	const size_t room = p->parts ? p->items.room : FRAME, size = failure.frame->count <= room ? failure.frame->count : 0;

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
	lp_pool_tell(p, n, counts->executions, counts->blocked);
	if (p->piece[n].state == LP_PIECE_RUNNING) {
		cut_after(p, n);
		lp_pool_add_counts(p, n, counts, outcomes, count);
		p->piece[n].state = LP_PIECE_FAILED;
		p->running--;
		put_frame(p, n, failure);
	} else {
		release(p, n);
	}
	lp_pool_unlock(p);
}

/* The piece that the worker was at; LP_NO_PIECE if it was at none. */
static lp_piece piece_of(const struct lp_pool *p, uint32_t worker)
{
	for (lp_piece n = 0; n < p->room; n++)
		if ((p->piece[n].state == LP_PIECE_RUNNING || p->piece[n].state == LP_PIECE_CANCELLED) && p->piece[n].worker == worker)
			return n;
	return LP_NO_PIECE;
}

/* The worker is gone, and what it did since its last record is not known: that is done again. */
static enum lp_pool_stop put_back(struct lp_pool *p, lp_piece n)
{
	struct lp_pool_slot *piece = &p->piece[n];

	lp_pool_tell(p, n, 0, 0);
	if (piece->state == LP_PIECE_CANCELLED) {
		release(p, n);
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
	if (stop != LP_POOL_RUNS)
		lp_pool_stop(p, stop);
	atomic_fetch_add(&p->news, 1);
	lp_pool_unlock(p);
	wake(&p->news, 1);
}

void lp_pool_leave(struct lp_pool *p, lp_piece n)
{
	lp_pool_lock(p);
	lp_pool_tell(p, n, 0, 0);
	if (p->piece[n].state == LP_PIECE_RUNNING) {
		p->piece[n].state = LP_PIECE_QUEUED;
		p->running--;
		p->queued++;
	} else {
		release(p, n);
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
	*out = (struct lp_progress){ p->executions, p->blocked, 0 };
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

/* The first piece that failed.  Those before it, if any, were left in the middle: their
 * counts go on to it, or to the end of the list. */
static lp_piece failed_piece(struct lp_pool *p)
{
	lp_piece n;

	while ((n = p->first) != LP_NO_PIECE && p->piece[n].state != LP_PIECE_FAILED) {
		pass_on(p, n);
		take_out(p, n);
	}
	return n;
}

void lp_pool_result(struct lp_pool *p, struct lp_pool_result *out)
{
	const lp_piece n = failed_piece(p);

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
	const lp_piece n = lp_pool_stopped(p) == LP_POOL_RUNS ? first_queued(p) : LP_NO_PIECE;
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

bool lp_pool_accept(struct lp_pool *p, lp_piece giver, const struct lp_bytes *bytes, double from)
{
	bool room = true;

	lp_pool_lock(p);
	if (giver < p->room && p->piece[giver].state == LP_PIECE_RUNNING) {
		room = find_free(p) != LP_NO_PIECE && bytes->count <= p->items.room;
		if (room)
			give_away(p, giver, bytes, from);
	}
	lp_pool_unlock(p);
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

/* Both the border and the piece need room. */
static bool add_part(struct lp_pool *p, uint32_t part, const struct lp_pool_piece *piece)
{
	const lp_piece border = find_free(p);

	if (border == LP_NO_PIECE)
		return false;
	p->piece[border] = (struct lp_pool_slot){ .state = LP_PIECE_BORDER, .part = part };
	if (find_free(p) == LP_NO_PIECE) {
		p->piece[border].state = LP_PIECE_FREE;
		return false;
	}
	clear_counts(p, border);
	const lp_piece before = p->last;
	link_after(p, border, before);
	queue_after(p, before, piece->bytes, piece->size, piece->visited, piece->end);
	return true;
}

bool lp_pool_add(struct lp_pool *p, uint32_t part, const struct lp_pool_piece *piece)
{
	lp_pool_lock(p);
	const bool added = piece->size <= p->items.room && add_part(p, part, piece);
	lp_pool_unlock(p);
	wake(&p->news, 1);
	return added;
}

/* The border of the part; LP_NO_PIECE if it has none here. */
static lp_piece border_of(const struct lp_pool *p, uint32_t part)
{
	for (lp_piece n = p->first; n != LP_NO_PIECE; n = p->piece[n].after)
		if (p->piece[n].state == LP_PIECE_BORDER && p->piece[n].part == part)
			return n;
	return LP_NO_PIECE;
}

void lp_pool_want(struct lp_pool *p, uint32_t pieces)
{
	atomic_store(&p->abroad, pieces);
}

bool lp_pool_withdraw(struct lp_pool *p, uint32_t *part, double *from, struct lp_bytes *item)
{
	bool found = false;

	lp_pool_lock(p);
	for (lp_piece b = p->first; b != LP_NO_PIECE && !found && p->abroad; b = p->piece[b].after) {
		const lp_piece n = p->piece[b].before;
		if (p->piece[b].state != LP_PIECE_BORDER || n == LP_NO_PIECE || p->piece[n].state != LP_PIECE_QUEUED)
			continue;
		found = true;
		*part = p->piece[b].part;
		*from = p->piece[n].visited;
		item->count = 0;
		lp_bytes_put(item, lp_pool_item_of(p, n), p->piece[n].size);
		pass_on(p, n);
		take_out(p, n);
		release(p, n);
		p->queued--;
		p->abroad--;
	}
	lp_pool_unlock(p);
	return found;
}

void lp_pool_cancel(struct lp_pool *p, uint32_t part)
{
	lp_pool_lock(p);
	const lp_piece b = border_of(p, part);
	while (b != LP_NO_PIECE && !is_border(p, p->piece[b].before))
		cancel(p, p->piece[b].before);
	lp_pool_unlock(p);
}

/* Of the border's part: the first piece, or the border itself. */
static lp_piece begin_of(const struct lp_pool *p, lp_piece border)
{
	lp_piece n = border;

	while (!is_border(p, p->piece[n].before))
		n = p->piece[n].before;
	return n;
}

void lp_pool_end_parts(struct lp_pool *p)
{
	lp_pool_lock(p);
	for (lp_piece n = p->first, next; n != LP_NO_PIECE; n = next) {
		next = p->piece[n].after;
		if (p->piece[n].state != LP_PIECE_QUEUED && p->piece[n].state != LP_PIECE_RUNNING)
			continue;
		pass_on(p, n);
		take_out(p, n);
		release(p, n);
	}
	p->queued = p->running = 0;
	lp_pool_unlock(p);
}

static void put_counts(struct lp_pool *p, lp_piece n, struct lp_bytes *to)
{
	const uint64_t *counted = lp_pool_outcomes_of(p, n);
	const uint32_t at = to->count;
	uint32_t count = 0;

	lp_bytes_put(to, lp_pool_counts_of(p, n), sizeof(struct lp_pool_counts));
	lp_bytes_put(to, &count, sizeof count);
	for (uint32_t i = 0; i < p->texts.count; i++) {
		if (!counted[i])
			continue;
		lp_bytes_put(to, &counted[i], sizeof counted[i]);
		lp_bytes_put_text(to, p->texts.bytes + p->texts.at[i]);
		count++;
	}
	memcpy(to->at + at + sizeof(struct lp_pool_counts), &count, sizeof count);
}

/* Takes the part out, whose first piece is n: the border, or one in which an error was found. */
static void take_part(struct lp_pool *p, lp_piece n, lp_piece border, struct lp_bytes *result)
{
	result->count = 0;
	put_counts(p, n, result);
	if (n != border) {
		const double visited = p->piece[n].visited;
		lp_bytes_put(result, &visited, sizeof visited);
		lp_bytes_put(result, lp_pool_item_of(p, n), p->piece[n].size);
		take_out(p, n);
		release(p, n);
	}
	take_out(p, border);
	p->piece[border].state = LP_PIECE_FREE;
}

static enum lp_pool_part look_at_part(struct lp_pool *p, lp_piece border, struct lp_bytes *result)
{
	const lp_piece n = begin_of(p, border), last = p->piece[border].before;
	const bool failed = p->piece[n].state == LP_PIECE_FAILED;

	if (n == border || failed) {
		take_part(p, n, border, result);
		return failed ? LP_PART_FAILED : LP_PART_DONE;
	}
	if (p->piece[last].state != LP_PIECE_FAILED || p->piece[last].told)
		return LP_PART_NONE;
	p->piece[last].told = true;
	return LP_PART_FAILING;
}

enum lp_pool_part lp_pool_part_ended(struct lp_pool *p, uint32_t *part, struct lp_bytes *result)
{
	enum lp_pool_part how = LP_PART_NONE;

	lp_pool_lock(p);
	for (lp_piece n = p->first, next; n != LP_NO_PIECE && how == LP_PART_NONE; n = next) {
		next = p->piece[n].after;
		*part = p->piece[n].part;
		if (p->piece[n].state == LP_PIECE_BORDER)
			how = look_at_part(p, n, result);
	}
	lp_pool_unlock(p);
	return how;
}

bool lp_pool_finish_part(struct lp_pool *p, lp_piece n, bool failed, struct lp_cursor *from)
{
	struct { LP_VEC(struct lp_outcome); } outcomes = { 0 };
	struct lp_pool_failure failure = { .visited = 0 };
	struct lp_bytes frame = { 0 };
	struct lp_pool_counts counts;

	lp_cursor_get(from, &counts, sizeof counts);
	for (uint32_t left = lp_cursor_u32(from); left && !from->bad; left--) {
		const uint64_t executions = lp_cursor_u64(from);
		const char *text = lp_cursor_text(from);
		if (text)
			LP_PUSH(&outcomes, (struct lp_outcome){ text, executions });
	}
	if (failed)
		lp_cursor_get(from, &failure.visited, sizeof failure.visited);
	if (failed && !from->bad)
		lp_bytes_put(&frame, from->at, from->left);
	failure.frame = &frame;
	from->bad |= n >= p->room;
	if (!from->bad && failed)
		lp_pool_fail(p, n, &counts, outcomes.at, outcomes.count, failure);
	else if (!from->bad)
		lp_pool_finish(p, n, &counts, outcomes.at, outcomes.count);
	for (uint32_t i = 0; i < outcomes.count; i++)
		lp_free((char *)outcomes.at[i].text);
	lp_free(outcomes.at);
	lp_free(frame.at);
	return !from->bad;
}
