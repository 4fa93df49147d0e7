/* ring.c -- how threads get rings and leave them, and how lost calls are recorded. */
#include "monitor/ring.h"

#include <pthread.h>

#include "base/alloc.h"

__thread struct lp_monitor_ring *lp_monitor_rings[LP_MONITOR_SLOTS];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void ring_free(struct lp_ring *r)
{
	lp_free(r->face.at);
	lp_free(r->handles);
	lp_free(r);
}

static void skip(struct lp_monitor_ring *r)
{
	__atomic_store_n(&r->skipped, r->skipped + 1, __ATOMIC_RELAXED);
}

/* Notes that a call was lost: from its start, or from that of the first one since the
 * last record, up to now. */
static void lose(struct lp_monitor_ring *r, uint64_t start, uint64_t now)
{
	__atomic_store_n(&r->lost, r->lost + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&r->gap_end, now, __ATOMIC_RELEASE);
	if (!r->gap)
		__atomic_store_n(&r->gap, start, __ATOMIC_RELEASE);
}

/* A thread has left a call without returning, by a jump or an exception, or calls again
 * from within.  What that call did is not known. */
void lp_monitor_abandon(struct lp_monitor_ring *r, uint64_t now)
{
	if (r->open != LP_MONITOR_MUTE)
		lose(r, r->open, now);
	else
		skip(r);
}

/* The first caller determines the time. */
void lp_ring_mute(struct lp_monitor_face *face, uint64_t now)
{
	uint64_t none = 0;

	__atomic_compare_exchange_n(&face->muted_at, &none, now, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_RELAXED);
	__atomic_and_fetch(&face->mode, ~(uint32_t)LP_MONITOR_RECORDS, __ATOMIC_SEQ_CST);
}

static void write_record(struct lp_monitor_ring *r, uint64_t start, uint64_t end, unsigned method,
			 int64_t arg, int64_t result)
{
	r->at[r->head & r->mask] = (struct lp_monitor_record){
		.start = start,
		.end = end | (uint64_t)method << LP_MONITOR_METHOD,
		.arg = arg,
		.result = result,
	};
	__atomic_store_n(&r->head, r->head + 1, __ATOMIC_RELEASE);
}

/* The ring looks full, so that the next return comes here. */
static void look_full(struct lp_monitor_ring *r)
{
	r->tail_seen = r->head - r->mask - 1;
}

static void begin_turn(struct lp_ring *r, uint64_t start, uint64_t end)
{
	const uint64_t head = r->face.head;

	write_record(&r->face, start, end, LP_MONITOR_TURN,
		     (int64_t)((uint64_t)r->turn_thread << 32 | r->thread), (int64_t)r->turn);
	r->turn = head;
	r->turn_thread = r->thread;
	r->is_new = false;
}

/* Is there room for so many records?  If not, the call is lost, and recording stops: of
 * what the others do nothing could be said.  Calls lost before get their own record
 * first, and so does the turn. */
static bool make_room(struct lp_monitor_call c, uint64_t now, uint64_t records)
{
	struct lp_monitor_ring *r = c.ring;
	struct lp_ring *whole = (struct lp_ring *)r;
	const uint64_t start = c.start;
	const bool nested = r->open != start; /* another call has come in between */
	const uint64_t need = records + (r->gap != 0) + whole->is_new;

	r->tail_seen = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	if (nested || r->head - r->tail_seen + need > r->mask + 1) {
		lose(r, start, now);
		if (whole->is_new)
			look_full(r);
		if (!nested) {
			lp_ring_mute(c.face, now);
			__atomic_store_n(&r->open, (uint64_t)LP_MONITOR_IDLE, __ATOMIC_RELEASE);
		}
		return false;
	}
	if (r->gap) {
		write_record(r, r->gap, lp_ring_gap_end(whole, c.face->clock), LP_MONITOR_GAP, 0, 0);
		__atomic_store_n(&r->gap, 0, __ATOMIC_RELEASE);
	}
	if (whole->is_new)
		begin_turn(whole, start, now);
	return true;
}

bool lp_monitor_room(struct lp_monitor_call c, uint64_t now)
{
	return make_room(c, now, 1);
}

/* A call with its further words: seen by the checker all at once. */
static void write_words(struct lp_monitor_ring *r, const struct lp_monitor_record *first,
			const int64_t *more, unsigned count)
{
	uint64_t at = r->head;

	r->at[at++ & r->mask] = *first;
	for (unsigned i = 0; i < count; i += 2)
		r->at[at++ & r->mask] = (struct lp_monitor_record){
			.start = first->start,
			.end = (first->end & ~(UINT64_C(255) << LP_MONITOR_METHOD)) |
			       (uint64_t)LP_MONITOR_MORE << LP_MONITOR_METHOD,
			.arg = more[i],
			.result = i + 1 < count ? more[i + 1] : LP_VOID,
		};
	__atomic_store_n(&r->head, at, __ATOMIC_RELEASE);
}

void lp_monitor_return_words(struct lp_monitor_call c, int method, const int64_t *args, unsigned arg_count,
			     const int64_t *results, unsigned result_count)
{
	enum { MOST = 66 };
	struct lp_monitor_ring *r = c.ring;
	int64_t more[MOST];
	unsigned count = 0;

	if (!r || c.start == LP_MONITOR_MUTE || arg_count + result_count > MOST) {
		lp_monitor_return(c, method, LP_VOID, LP_VOID); /* not recorded; or not understood, which is a gap */
		return;
	}
	for (unsigned i = 1; i < arg_count; i++)
		more[count++] = args[i];
	for (unsigned i = 1; i < result_count; i++)
		more[count++] = results[i];
	if (c.face->fence)
		lp_monitor_fence();
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	const uint64_t end = r->head & __atomic_load_n(&c.face->every, __ATOMIC_RELAXED) ?
				     __atomic_load_n(c.face->clock, __ATOMIC_SEQ_CST) :
				     __atomic_fetch_add(c.face->clock, 1, __ATOMIC_SEQ_CST);
	if (!make_room(c, end, 1 + (count + 1) / 2))
		return;
	const struct lp_monitor_record first = {
		.start = c.start,
		.end = end | (uint64_t)(unsigned)method << LP_MONITOR_METHOD,
		.arg = arg_count ? args[0] : LP_VOID,
		.result = result_count ? results[0] : LP_VOID,
	};
	write_words(r, &first, more, count);
	__atomic_store_n(&r->open, (uint64_t)LP_MONITOR_IDLE, __ATOMIC_RELEASE);
}

/* The thread has no more use for it. */
static void leave(struct lp_monitor_ring **place)
{
	struct lp_ring *r = (struct lp_ring *)*place;
	uint32_t state = LP_RING_OWNED;

	*place = NULL;
	if (!r)
		return;
	/* The thread ends within a call: the end of the call is unknown. */
	if (r->face.open == LP_MONITOR_MUTE)
		skip(&r->face);
	else if (r->face.open != LP_MONITOR_IDLE)
		lose(&r->face, r->face.open, LP_RING_UNTOLD);
	__atomic_store_n(&r->face.open, (uint64_t)LP_MONITOR_IDLE, __ATOMIC_RELEASE);
	if (!__atomic_compare_exchange_n(&r->state, &state, LP_RING_LEFT, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		ring_free(r); /* an orphan */
}

static void thread_exits(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < LP_MONITOR_SLOTS; i++)
		leave(&lp_monitor_rings[i]);
}

static void make_key(void)
{
	has_key = !pthread_key_create(&key, thread_exits);
}

bool lp_rings_open(struct lp_rings *s, uint32_t most, uint32_t size)
{
	pthread_once(&once, make_key);
	*s = (struct lp_rings){ .most = most, .size = size };
	s->at = lp_try_alloc_zero(most, sizeof *s->at);
	return s->at && has_key;
}

uint64_t lp_ring_bytes(const struct lp_rings *s)
{
	return sizeof(struct lp_ring) +
	       (uint64_t)s->size * (sizeof(struct lp_monitor_record) + sizeof(uint64_t));
}

static struct lp_ring *ring_make(const struct lp_rings *s, uint32_t index)
{
	struct lp_ring *r = lp_try_alloc_aligned(128, sizeof *r);

	if (!r)
		return NULL;
	*r = (struct lp_ring){ .index = index, .state = LP_RING_OWNED };
	r->face.mask = s->size - 1;
	r->face.at = lp_try_alloc_zero(s->size, sizeof *r->face.at);
	r->records = r->face.at;
	r->mask = r->face.mask;
	r->handles = lp_try_alloc_zero(s->size, sizeof *r->handles);
	if (!r->face.at || !r->handles) {
		ring_free(r);
		return NULL;
	}
	return r;
}

static uint64_t records_in(const struct lp_ring *r)
{
	return __atomic_load_n(&r->face.head, __ATOMIC_RELAXED) -
	       __atomic_load_n(&r->face.tail, __ATOMIC_RELAXED);
}

/* Of the rings that were left, the one with the most room; else NULL, and `*count` is how many
 * rings there are. */
static struct lp_ring *roomiest(const struct lp_rings *s, uint32_t *count)
{
	struct lp_ring *best = NULL, *r;
	uint32_t i = 0;

	for (; i < s->most && (r = lp_ring_at(s, i)); i++)
		if (__atomic_load_n(&r->state, __ATOMIC_ACQUIRE) == LP_RING_LEFT &&
		    (!best || records_in(r) < records_in(best)))
			best = r;
	*count = i;
	return best;
}

/* A ring that was left, or a new one.  Each time round, another thread has taken one. */
static struct lp_ring *take(struct lp_rings *s)
{
	struct lp_ring *mine = NULL, *r;
	uint32_t count;

	for (;;) {
		uint32_t state = LP_RING_LEFT;
		if ((r = roomiest(s, &count))) {
			if (__atomic_compare_exchange_n(&r->state, &state, LP_RING_OWNED, false,
							__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
				break;
			continue;
		}
		if (count == s->most || (!mine && !(mine = ring_make(s, count))))
			break;
		mine->index = count;
		if (__atomic_compare_exchange_n(&s->at[count], &r, mine, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			return mine;
	}
	if (mine)
		ring_free(mine);
	return r;
}

uint64_t lp_ring_gap_end(struct lp_ring *r, const uint64_t *clock)
{
	uint64_t end = __atomic_load_n(&r->face.gap_end, __ATOMIC_ACQUIRE);

	if (end != LP_RING_UNTOLD)
		return end;
	const uint64_t now = __atomic_load_n(clock, __ATOMIC_SEQ_CST);
	return __atomic_compare_exchange_n(&r->face.gap_end, &end, now, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE) ?
		       now :
		       end;
}

struct lp_ring *lp_rings_enter(struct lp_rings *s, uint64_t id, uint32_t slot)
{
	leave(&lp_monitor_rings[slot]); /* of a monitor that was there before */
	struct lp_ring *r = pthread_setspecific(key, lp_monitor_rings) ? NULL : take(s);
	if (!r) {
		/* Before the call, and visible to all threads. */
		__atomic_add_fetch(&s->outside, 1, __ATOMIC_SEQ_CST);
		__atomic_add_fetch(&s->refused, 1, __ATOMIC_SEQ_CST);
		return NULL;
	}
	r->slot = slot;
	r->thread = __atomic_fetch_add(&s->threads, 1, __ATOMIC_RELAXED);
	r->is_new = true;
	look_full(&r->face);
	r->face.id = id;
	lp_monitor_rings[slot] = &r->face;
	return r;
}

void lp_rings_outside_ends(struct lp_rings *s)
{
	__atomic_sub_fetch(&s->outside, 1, __ATOMIC_SEQ_CST);
}

void lp_rings_close(struct lp_rings *s, bool alone)
{
	for (uint32_t i = 0; s->at && i < s->most; i++) {
		struct lp_ring *r = lp_ring_at(s, i);
		uint32_t state = LP_RING_OWNED;
		if (!r)
			break;
		if (lp_monitor_rings[r->slot] == &r->face)
			lp_monitor_rings[r->slot] = NULL; /* of the thread that closes */
		else if (!alone && __atomic_compare_exchange_n(&r->state, &state, LP_RING_ORPHAN, false,
							       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			continue;
		ring_free(r);
	}
	lp_free(s->at);
	*s = (struct lp_rings){ 0 };
}
