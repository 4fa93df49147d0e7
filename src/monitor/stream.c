/* stream.c -- the rounds of the stream: finds the horizon, merges the events before it, and handles
 * gaps. */
#include "monitor/stream.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"

#define METHOD_BITS (UINT64_C(255) << LP_MONITOR_METHOD)
#define NO_EVENT UINT64_MAX
#define NO_CALL UINT64_C(1) /* as a handle: a record that is not handed on */

/* Why calls are lost. */
#define LOST_FULL "calls come faster than they can be checked"
#define LOST_LEFT "a call was left without returning, or a ring was full"
#define LOST_OUTSIDE "more threads at a time than config.threads, or no memory for a ring"

enum {
	REGISTER_BARRIER = 1 << 4, /* of membarrier(), private and expedited */
	USE_BARRIER = 1 << 3,
	PUBLISH = 1024,            /* events, until threads are told of room in their rings */
	FEW = 3,                   /* events of a ring at one time: not worth a run */
};

bool lp_stream_open_barrier(void)
{
	return !syscall(SYS_membarrier, REGISTER_BARRIER, 0, 0) &&
	       !syscall(SYS_membarrier, USE_BARRIER, 0, 0);
}

/* All threads pass a barrier here; if not by this call, then by their own fences. */
static void barrier(const struct lp_stream *s)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!(__atomic_load_n(&s->face->mode, __ATOMIC_RELAXED) & LP_MONITOR_FENCES))
		syscall(SYS_membarrier, USE_BARRIER, 0, 0);
}

bool lp_stream_open(struct lp_stream *s, struct lp_rings *rings, struct lp_monitor_face *face)
{
	*s = (struct lp_stream){ .rings = rings, .face = face, .few = FEW };
	s->heap = lp_try_alloc_zero(rings->most, sizeof *s->heap);
	return s->heap;
}

void lp_stream_close(struct lp_stream *s)
{
	lp_live_close(&s->live);
	lp_dump_close(&s->dump);
	lp_free(s->heap);
}

void lp_stream_begin(struct lp_stream *s, bool unknown)
{
	if (s->has_live)
		s->live.kind->forget(&s->live, unknown, 0);
}

/* ---- The order of events ---- */

static struct lp_monitor_record *record_at(const struct lp_ring *r, uint64_t i)
{
	return &r->records[i & r->mask];
}

/* When a call started that is in the ring, but has not been handed on. */
static uint64_t start_at(const struct lp_stream *s, struct lp_ring *r, uint64_t i)
{
	struct lp_monitor_record *rec = record_at(r, i);

	/* Its thread had not got so far in the last round: it started later. */
	if (rec->start < s->floor)
		rec->start = s->floor;
	return rec->start;
}

/* Twice the time, plus one if it is an end. */
static void find_key(const struct lp_stream *s, struct lp_ring *r)
{
	uint64_t start = NO_EVENT, end = NO_EVENT;

	if (r->next < r->seen)
		start = start_at(s, r, r->next) << 1;
	if (r->done < r->next)
		end = (record_at(r, r->done)->end & ~METHOD_BITS) << 1 | 1;
	r->key = start <= end ? start : end;
}

static bool is_before(const struct lp_ring *a, const struct lp_ring *b)
{
	return a->key < b->key || (a->key == b->key && a->index < b->index);
}

static void sift_down(struct lp_stream *s, uint32_t at)
{
	struct lp_ring *moving = s->heap[at];

	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= s->heap_count)
			break;
		if (child + 1 < s->heap_count && is_before(s->heap[child + 1], s->heap[child]))
			child++;
		if (!is_before(s->heap[child], moving))
			break;
		s->heap[at] = s->heap[child];
		at = child;
	}
	s->heap[at] = moving;
}

/* ---- Handing on ---- */

static struct lp_live_call call_of(const struct lp_ring *r, uint64_t i)
{
	const struct lp_monitor_record *rec = record_at(r, i);

	return (struct lp_live_call){ .start = rec->start,
				      .end = rec->end & ~METHOD_BITS,
				      .arg = rec->arg,
				      .result = rec->result,
				      .tie = (uint64_t)r->index << 40 | (i & 0xffffffffff),
				      .thread = lp_ring_thread(r, i),
				      .method = (uint32_t)(rec->end >> LP_MONITOR_METHOD) };
}

/* All arguments, then all results: what does not fit into the record is in those that follow it. */
uint32_t lp_stream_words(const struct lp_ring *r, uint64_t i, uint32_t args, int64_t *words)
{
	const struct lp_monitor_record *rec = record_at(r, i);
	const struct lp_monitor_record *more = record_at(r, i + 1);
	uint32_t count = 0, results = rec->result != LP_VOID, further = 0;

	if (args)
		words[count++] = rec->arg;
	if (args < 2 && results)
		words[count++] = rec->result;
	for (; i + 1 < r->seen && more->end >> LP_MONITOR_METHOD == LP_MONITOR_MORE;
	     more = record_at(r, ++i + 1)) {
		const int64_t two[] = { more->arg, more->result };
		for (int j = 0; j < 2 && count < LP_LIVE_WORDS - 2 && two[j] != LP_VOID; j++) {
			words[count++] = two[j];
			if (++further == args - 1 && args > 1 && results)
				words[count++] = rec->result; /* arguments first */
		}
	}
	return count;
}

static void add_words(struct lp_stream *s, const struct lp_ring *r, uint64_t i, struct lp_live_call *c)
{
	if (!s->live.kind->wants_ticks || c->method >= s->live.spec->kind->method_count)
		return;
	c->words = s->words;
	c->word_count = lp_stream_words(r, i, s->live.spec->kind->methods[c->method].args, s->words);
}

/* Starts again at `time`, knowing nothing but the calls that are going on. */
static void restart(struct lp_stream *s, uint64_t time)
{
	uint64_t until = time;

	s->gaps++;
	s->live.wrong = false;
	s->live.stuck = NULL;
	s->live.core_count = 0;
	s->live.is_partial = false;
	s->live.going_on = 0;
	for (uint32_t i = 0; i < s->rings->most && lp_ring_at(s->rings, i); i++) {
		const struct lp_ring *r = lp_ring_at(s->rings, i);
		s->live.going_on += r->next - r->done;
		for (uint64_t n = r->done; n < r->next; n++) {
			const uint64_t end = record_at(r, n)->end & ~METHOD_BITS;
			until = end > until ? end : until;
		}
	}
	s->live.kind->forget(&s->live, true, until);
	for (uint32_t i = 0; i < s->rings->most && lp_ring_at(s->rings, i); i++) {
		struct lp_ring *r = lp_ring_at(s->rings, i);
		for (uint64_t n = r->done; n < r->next; n++) {
			struct lp_live_call c = call_of(r, n);
			s->live.rank++;
			add_words(s, r, n, &c);
			if (c.method < s->live.spec->kind->method_count)
				s->live.kind->start(&s->live, &c, &r->handles[n & r->mask], true);
		}
	}
}

/* Calls may be lost up to that time: more than one cause can keep a gap open, and the last of their ends counts. */
static void extend_gap(struct lp_stream *s, uint64_t until)
{
	s->gap.open = true;
	if (until > s->gap.until)
		s->gap.until = until;
}

/* Is the end of the gap known, and is it before that time? */
static bool gap_is_over(const struct lp_stream *s, uint64_t time)
{
	return s->gap.open && !s->gap.silent && !s->gap.deaf && time > s->gap.until;
}

/* `why`, if it is to be told: something was lost that was to be checked. */
static void enter_gap(struct lp_stream *s, uint64_t until, const char *why)
{
	if (why)
		s->gap.loss = why;
	/* What is not yet sure may be explained by what was lost. */
	s->live.wrong = false;
	s->live.core_count = 0;
	if (!s->gap.open && !s->has_live)
		lp_dump_stop(&s->dump, s->rings);
	extend_gap(s, until);
}

/* Recording is off. */
static void enter_silence(struct lp_stream *s)
{
	enter_gap(s, s->floor, NULL);
	s->gap.silent = true;
}

static void leave_gap(struct lp_stream *s)
{
	s->gap.open = false;
	if (s->has_live)
		restart(s, s->gap.until);
	s->gap.until = 0;
}

/* A violation stands, or the checker does not know what to do. */
static void look_for_trouble(struct lp_stream *s, uint64_t time)
{
	if (s->live.wrong && time > s->live.due) {
		s->violations++;
		if (s->report)
			s->report(s, s->context);
		restart(s, time);
	} else if (s->live.stuck) {
		s->gap.forgotten++;
		s->gap.forgotten_why = s->live.stuck;
		restart(s, time);
	}
}

/* No thread is in an unrecorded call any more: from here on all calls are known, until
 * recording is stopped again. */
static void all_heard(struct lp_stream *s)
{
	extend_gap(s, s->muting.until);
	s->gap.silent = false;
	s->muting.unmuting = false;
	s->muting.muted = s->muting.again;
	s->muting.from = s->muting.again_from;
	s->muting.again = false;
}

/* A thread that was in such a call has left it by `time`. */
static void hear_again(struct lp_stream *s, struct lp_ring *r, uint64_t time)
{
	r->was_mute = false;
	if (time > s->muting.until)
		s->muting.until = time;
	if (!--s->muting.rings && s->muting.unmuting)
		all_heard(s);
}

/* A record of something else. */
static bool is_no_call(const struct lp_live_call *c)
{
	return c->method >= LP_MONITOR_MORE;
}

static void start_of(struct lp_stream *s, struct lp_ring *r, uint64_t i)
{
	struct lp_live_call c = call_of(r, i);
	uint64_t *handle = &r->handles[i & r->mask];

	*handle = 0;
	if (c.method == LP_MONITOR_TURN) {
		r->now_turn = i;
		r->now_thread = (uint32_t)c.arg;
	}
	if (is_no_call(&c))
		*handle = NO_CALL;
	if (r->was_mute && i >= r->mute_head && !is_no_call(&c))
		hear_again(s, r, c.start); /* a gap's record is of older times */
	if (c.method == LP_MONITOR_GAP) {
		if (c.end > r->gap_done)
			enter_gap(s, c.end, LOST_LEFT);
		return;
	}
	if (!s->has_live || is_no_call(&c))
		return;
	add_words(s, r, i, &c);
	if (c.method >= s->live.spec->kind->method_count ||
	    (s->live.kind->is_beyond && s->live.kind->is_beyond(&s->live, &c)))
		enter_gap(s, c.end, NULL);
	if (s->gap.open)
		s->unchecked++;
	else
		s->live.kind->start(&s->live, &c, handle, false);
}

static void end_of(struct lp_stream *s, struct lp_ring *r, uint64_t i)
{
	const struct lp_live_call c = call_of(r, i);

	if (is_no_call(&c))
		return;
	s->calls++;
	if (!s->has_live && s->gap.open)
		s->unchecked++;
	else if (!s->has_live)
		lp_dump_call(&s->dump, &c, r, i);
	else if (!s->gap.open)
		s->live.kind->end(&s->live, &c, r->handles[i & r->mask]);
}

static void publish(struct lp_stream *s)
{
	for (uint32_t i = 0; i < s->heap_count; i++)
		__atomic_store_n(&s->heap[i]->face.tail, s->heap[i]->done, __ATOMIC_RELEASE);
}

static void count_events(struct lp_stream *s, uint64_t count)
{
	s->events += count;
	if (s->events - s->published < PUBLISH)
		return;
	s->published = s->events;
	publish(s);
}

/* The next start or end in a ring. */
static void step(struct lp_stream *s, struct lp_ring *r)
{
	const uint64_t time = r->key >> 1;

	if (s->muting.muted && time >= s->muting.from)
		enter_silence(s);
	if (gap_is_over(s, time))
		leave_gap(s);
	s->live.rank++;
	s->live.now = time;
	if (r->key & 1)
		end_of(s, r, r->done++);
	else
		start_of(s, r, r->next++);
	if (s->live.wrong || s->live.stuck)
		look_for_trouble(s, time);
	count_events(s, 1);
}

/* The usual case: nothing is lost, no thread can be in an unrecorded call, and the checker
 * has a fast path. */
static bool is_usual(const struct lp_stream *s, const struct lp_ring *r)
{
	return s->live.has_runs && s->has_live && !s->gap.open && !s->muting.muted && !r->was_mute;
}

/* Starts or ends of a ring from record `from` on, all at s->live.now: hands on those that the
 * checker does at once. */
static uint64_t hand_run(struct lp_stream *s, struct lp_ring *r, uint64_t from, uint64_t to,
			 uint64_t (*hand)(struct lp_live *, const struct lp_live_run *))
{
	const struct lp_live_run run = { .records = r->records,
					 .handles = r->handles,
					 .mask = r->mask,
					 .from = from,
					 .to = to - from > PUBLISH ? from + PUBLISH : to,
					 .time = s->live.now,
					 .floor = s->floor,
					 .thread = r->now_thread };
	const uint64_t count = hand(&s->live, &run);

	s->live.rank += count;
	count_events(s, count);
	return count;
}

/* The starts of a ring at one time, as long as all is as usual.  The same as step(), but
 * most of it is done once for all of them: at full speed there are dozens in a tick. */
static void step_starts(struct lp_stream *s, struct lp_ring *r, uint64_t time)
{
	struct lp_live *live = &s->live;

	live->now = time;
	while (r->next < r->seen && is_usual(s, r)) {
		const uint64_t i = r->next;
		const uint64_t count = hand_run(s, r, i, r->seen, live->kind->starts);
		r->next += count;
		if (count)
			continue;
		if (start_at(s, r, i) != time)
			return;
		const struct lp_live_call c = call_of(r, i);
		if (c.method >= live->spec->kind->method_count ||
		    (live->kind->is_beyond && live->kind->is_beyond(live, &c)))
			return;
		r->next++;
		live->rank++;
		live->kind->start(live, &c, &r->handles[i & r->mask], false);
		if (live->wrong || live->stuck)
			look_for_trouble(s, time);
		count_events(s, 1);
	}
}

static void step_ends(struct lp_stream *s, struct lp_ring *r, uint64_t time)
{
	struct lp_live *live = &s->live;

	live->now = time;
	while (r->done < r->next && is_usual(s, r)) {
		const uint64_t i = r->done;
		const uint64_t count = hand_run(s, r, i, r->next, live->kind->ends);
		r->done += count;
		s->calls += count;
		if (count)
			continue;
		const struct lp_live_call c = call_of(r, i);
		if (c.end != time || is_no_call(&c))
			return;
		r->done++;
		s->calls++;
		live->rank++;
		live->kind->end(live, &c, r->handles[i & r->mask]);
		if (live->wrong || live->stuck)
			look_for_trouble(s, time);
		count_events(s, 1);
	}
}

/* Does the ring have more than a few of the events that it has next? */
static bool has_many(const struct lp_stream *s, const struct lp_ring *r)
{
	const uint64_t time = r->key >> 1;

	if (r->key & 1)
		return r->next - r->done > s->few &&
		       (record_at(r, r->done + s->few)->end & ~METHOD_BITS) == time;
	return r->seen - r->next > s->few && record_at(r, r->next + s->few)->start <= time;
}

/* All starts of a ring at one time, or all ends. */
static void step_all(struct lp_stream *s, struct lp_ring *r)
{
	const uint64_t key = r->key;

	do {
		if (is_usual(s, r) && has_many(s, r)) {
			if (key & 1)
				step_ends(s, r, key >> 1);
			else
				step_starts(s, r, key >> 1);
			find_key(s, r);
			if (r->key != key)
				return;
		}
		step(s, r); /* nothing is done at once, or what is next is not as usual */
		find_key(s, r);
	} while (r->key == key);
}

/* Up to which key the first ring of the heap goes on being the first. */
static uint64_t run_of(const struct lp_stream *s, uint64_t horizon)
{
	uint64_t until = horizon << 1;

	for (uint32_t i = 1; i < 3 && i < s->heap_count; i++) {
		const struct lp_ring *other = s->heap[i];
		const uint64_t key = other->key + (s->heap[0]->index < other->index &&
						   other->key < NO_EVENT);
		until = key < until ? key : until;
	}
	return until;
}

/* Everything before the horizon. */
static void merge(struct lp_stream *s, uint64_t horizon)
{
	for (uint32_t i = s->heap_count; i-- > 0;) {
		find_key(s, s->heap[i]);
		sift_down(s, i);
	}
	while (s->heap_count && s->heap[0]->key < horizon << 1) {
		const uint64_t until = run_of(s, horizon);
		do
			step_all(s, s->heap[0]);
		while (s->heap[0]->key < until);
		sift_down(s, 0);
	}
	publish(s);
}

/* ---- Rounds ---- */

/* What a thread has lost and no record tells of yet: from when on?  0: nothing. */
static uint64_t pending_gap(const struct lp_stream *s, struct lp_ring *r, uint64_t *end)
{
	const uint64_t from = __atomic_load_n(&r->face.gap, __ATOMIC_ACQUIRE);

	*end = from ? lp_ring_gap_end(r, s->face->clock) : 0;
	if (!from || *end <= r->gap_done)
		return 0;
	return from > r->gap_done ? from : r->gap_done;
}

static void lower(uint64_t *horizon, uint64_t to)
{
	if (to < *horizon)
		*horizon = to;
}

/* Reads all rings; those with something to hand on are put into the heap. */
static uint64_t look_around(struct lp_stream *s, uint64_t now)
{
	uint64_t horizon = now, end;

	s->heap_count = 0;
	for (uint32_t i = 0; i < s->rings->most && lp_ring_at(s->rings, i); i++) {
		struct lp_ring *r = lp_ring_at(s->rings, i);
		const uint64_t open = __atomic_load_n(&r->face.open, __ATOMIC_ACQUIRE);
		const uint64_t gap = pending_gap(s, r, &end);
		r->is_idle = open == LP_MONITOR_IDLE || open == LP_MONITOR_MUTE;
		if (!r->is_idle)
			lower(&horizon, open);
		if (r->was_mute && open != LP_MONITOR_MUTE &&
		    r->mute_head == __atomic_load_n(&r->face.head, __ATOMIC_ACQUIRE))
			hear_again(s, r, __atomic_load_n(s->face->clock, __ATOMIC_ACQUIRE));
		if (gap)
			lower(&horizon, gap);
		r->seen = __atomic_load_n(&r->face.head, __ATOMIC_ACQUIRE);
		if (r->done < r->seen)
			s->heap[s->heap_count++] = r;
	}
	return horizon;
}

/* Calls were lost, and their thread does not call any more: there will be no record. */
static bool take_over_gaps(struct lp_stream *s)
{
	bool more = false;
	uint64_t end;

	for (uint32_t i = 0; i < s->rings->most && lp_ring_at(s->rings, i); i++) {
		struct lp_ring *r = lp_ring_at(s->rings, i);
		const uint64_t gap = pending_gap(s, r, &end);
		if (!gap || gap > s->floor || !r->is_idle)
			continue;
		if (r->next < r->seen && record_at(r, r->next)->start < gap)
			continue;
		r->gap_done = end;
		enter_gap(s, end, LOST_LEFT);
		more = true;
	}
	return more;
}

/* Was the recording stopped?  A thread stops it if its ring is full. */
static void notice_mute(struct lp_stream *s)
{
	if (__atomic_load_n(&s->face->mode, __ATOMIC_ACQUIRE) & LP_MONITOR_RECORDS)
		return;
	uint64_t from = __atomic_load_n(&s->face->muted_at, __ATOMIC_ACQUIRE);
	if (from < s->floor)
		from = s->floor;
	if (!s->muting.meant)
		s->gap.loss = LOST_FULL;
	if (!s->muting.muted) {
		s->muting.muted = true;
		s->muting.from = from;
	} else if (s->muting.unmuting && !s->muting.again) {
		s->muting.again = true;
		s->muting.again_from = from;
	}
}

/* Recording was stopped again before all threads took part, so nothing was recorded completely. */
static void give_up_unmuting(struct lp_stream *s)
{
	if (!s->muting.unmuting || !s->muting.again || !s->drained)
		return;
	s->muting.unmuting = s->muting.again = false;
	enter_silence(s);
}

/* Threads that have no ring: there is no telling what they do, until none of them is in a
 * call.  One that gets into such a call after we have asked does so after `now`. */
static void hear_outside(struct lp_stream *s)
{
	const uint32_t refused = __atomic_load_n(&s->rings->refused, __ATOMIC_SEQ_CST);

	if (__atomic_load_n(&s->rings->outside, __ATOMIC_SEQ_CST) || refused != s->gap.refused) {
		s->gap.refused = refused;
		s->gap.deaf = true;
		enter_gap(s, s->floor, LOST_OUTSIDE);
	} else if (s->gap.deaf) {
		s->gap.deaf = false;
		extend_gap(s, __atomic_fetch_add(s->face->clock, 1, __ATOMIC_SEQ_CST));
	}
}

bool lp_stream_round(struct lp_stream *s)
{
	const uint64_t before = s->events;
	const uint64_t now = __atomic_add_fetch(s->face->clock, 1, __ATOMIC_SEQ_CST);

	barrier(s);
	hear_outside(s);
	notice_mute(s);
	const uint64_t horizon = look_around(s, now);

	merge(s, horizon);
	if (horizon > s->floor)
		s->floor = horizon;
	if (!s->muting.muted && gap_is_over(s, s->floor))
		leave_gap(s); /* even if there are no calls */
	if (s->has_live)
		look_for_trouble(s, s->floor);

	const bool more = take_over_gaps(s);
	s->drained = true;
	for (uint32_t i = 0; i < s->heap_count; i++)
		s->drained &= s->heap[i]->done == s->heap[i]->seen;
	give_up_unmuting(s);
	return more || s->events - before > s->rings->size / 4;
}

void lp_stream_look(struct lp_stream *s)
{
	if (!s->has_live || s->gap.open || !s->live.kind->look)
		return;
	s->live.now = s->floor;
	s->live.kind->look(&s->live);
	look_for_trouble(s, s->floor);
}

void lp_stream_finish(struct lp_stream *s)
{
	/* What is not due by now is not certain: some thread has left a call by a jump, and its later
	 * calls were not checked. */
	lp_stream_look(s);
	if (s->has_live)
		look_for_trouble(s, s->floor);
}

void lp_stream_mute(struct lp_stream *s)
{
	s->muting.meant = true;
	lp_ring_mute(s->face, __atomic_load_n(s->face->clock, __ATOMIC_ACQUIRE));
}

/* A thread may be in a call that is not recorded.  It has left that call when it first records one. */
void lp_stream_unmute(struct lp_stream *s)
{
	s->muting.meant = false;
	__atomic_store_n(&s->face->muted_at, 0, __ATOMIC_RELEASE);
	__atomic_or_fetch(&s->face->mode, LP_MONITOR_RECORDS, __ATOMIC_SEQ_CST);
	barrier(s);
	s->muting.unmuting = true;
	s->muting.rings = 0;
	for (uint32_t i = 0; i < s->rings->most && lp_ring_at(s->rings, i); i++) {
		struct lp_ring *r = lp_ring_at(s->rings, i);
		r->was_mute = __atomic_load_n(&r->face.open, __ATOMIC_ACQUIRE) == LP_MONITOR_MUTE;
		r->mute_head = __atomic_load_n(&r->face.head, __ATOMIC_ACQUIRE);
		s->muting.rings += r->was_mute;
	}
	s->muting.until = __atomic_load_n(s->face->clock, __ATOMIC_ACQUIRE);
	if (!s->muting.rings)
		all_heard(s);
}
