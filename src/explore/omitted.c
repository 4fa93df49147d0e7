/* omitted.c -- races with what was left out. */
#define _GNU_SOURCE
#include "explore/omitted.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "explore/grow.h"

enum {
	FACTS = 16384,   /* more are not kept: then we are careful anyway */
	BUCKETS = 4096,  /* a power of two */
	SAME = 8,        /* facts that differ only in clock and moment; more are merged */
	THREADS = 128,
	RUN = 128,       /* plain accesses between two operations that are told apart */
	NOBODY = THREADS, /* whoever writes atomically */
};

/* A plain read that was left out, or a write.  The more moments, and the less it knows of
 * others, the more it may race with. */
struct fact {
	uintptr_t loc;
	size_t size;
	uint32_t thread;
	uint32_t at;             /* i, or e */
	uint32_t next;           /* of the bucket, from 1 */
	bool write;
	uint32_t clock[THREADS]; /* zero beyond the threads that there were */
};

struct lp_omitted_facts {
	pthread_mutex_t lock;
	atomic_bool matters;
	uint32_t count;
	uint32_t bucket[BUCKETS]; /* from 1 */
	struct fact at[FACTS];    /* pages are touched when they are needed */
};

struct lp_omitted_facts *lp_omitted_facts_open(void)
{
	struct lp_omitted_facts *f = mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attributes;

	if (f == MAP_FAILED)
		return NULL;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&f->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return f;
}

void lp_omitted_facts_close(struct lp_omitted_facts *f)
{
	if (!f)
		return;
	pthread_mutex_destroy(&f->lock);
	munmap(f, sizeof *f);
}

bool lp_omitted_needed(const struct lp_explore_options *o)
{
	return o->spin && !o->races_ignored && !o->careful;
}

void lp_omitted_begin(struct lp_explorer *x)
{
	struct lp_omitted *o = &x->machine.omitted;

	if (!lp_omitted_needed(x->options))
		return;
	o->facts = lp_omitted_facts_open();
	if (!o->facts)
		lp_explorer_stop(x, "no memory for what is left out");
}

bool lp_omitted_matters(const struct lp_omitted_facts *f)
{
	return f && atomic_load_explicit(&f->matters, memory_order_relaxed);
}

void lp_omitted_close(struct lp_omitted *o)
{
	lp_free(o->accesses.at);
	*o = (struct lp_omitted){ 0 };
}

/* ---- facts ---- */

static bool overlap(const struct fact *a, const struct fact *b)
{
	return a->loc - b->loc < b->size || b->loc - a->loc < a->size;
}

/* As far as the clock of a can tell, b may be concurrent with it. */
static bool may_miss(const struct fact *a, const struct fact *b)
{
	return b->thread == NOBODY || b->at >= a->clock[b->thread];
}

static bool may_race(const struct fact *a, const struct fact *b)
{
	return a->write != b->write && a->thread != b->thread && overlap(a, b) &&
	       may_miss(a, b) && may_miss(b, a);
}

/* Whatever may race with b may with a. */
static bool dominates(const struct fact *a, const struct fact *b)
{
	if (a->at < b->at)
		return false;
	for (uint32_t t = 0; t < THREADS; t++)
		if (a->clock[t] > b->clock[t])
			return false;
	return true;
}

static void merge(struct fact *into, const struct fact *from)
{
	if (into->at < from->at)
		into->at = from->at;
	for (uint32_t t = 0; t < THREADS; t++)
		if (into->clock[t] > from->clock[t])
			into->clock[t] = from->clock[t];
}

static bool is_like(const struct fact *a, const struct fact *b)
{
	return a->loc == b->loc && a->size == b->size && a->thread == b->thread &&
	       a->write == b->write;
}

static void compare_with_all(struct lp_omitted_facts *f, const struct fact *fact)
{
	for (uint32_t i = 0; i < f->count; i++) {
		if (may_race(&f->at[i], fact)) {
			atomic_store(&f->matters, true);
			return;
		}
	}
}

static void put(struct lp_omitted_facts *f, const struct fact *fact)
{
	uint32_t *bucket = &f->bucket[lp_mix(fact->loc ^ fact->size << 48 ^
					     (uint64_t)fact->thread << 56 ^ fact->write) &
				      (BUCKETS - 1)];
	uint32_t same = 0;
	struct fact *last = NULL;

	for (uint32_t i = *bucket; i; i = f->at[i - 1].next) {
		struct fact *other = &f->at[i - 1];
		if (!is_like(other, fact))
			continue;
		if (dominates(other, fact))
			return;
		last = other;
		same++;
	}
	if (same >= SAME) {
		merge(last, fact);
		compare_with_all(f, last);
		return;
	}
	if (f->count == FACTS) {
		atomic_store(&f->matters, true);
		return;
	}
	compare_with_all(f, fact);
	f->at[f->count] = *fact;
	f->at[f->count].next = *bucket;
	*bucket = ++f->count;
}

static void put_locked(struct lp_omitted_facts *f, const struct fact *fact)
{
	if (pthread_mutex_lock(&f->lock) == EOWNERDEAD)
		pthread_mutex_consistent(&f->lock); /* a lost worker: there will be no verdict */
	put(f, fact);
	pthread_mutex_unlock(&f->lock);
}

static void set_clock(struct lp_omitted_facts *f, struct fact *fact, const uint32_t *clock,
		      uint32_t width)
{
	if (fact->thread >= THREADS || width > THREADS)
		atomic_store(&f->matters, true); /* too many to tell */
	else if (clock)
		memcpy(fact->clock, clock, sizeof *clock * width);
}

/* ---- what happens ---- */

static void log_access(struct lp_omitted *o, lp_tid t, uint32_t index, uintptr_t loc, size_t size,
		       bool write)
{
	struct lp_omitted_access a = { t, write, index, 0, loc, size };

	for (uint32_t i = o->accesses.count; i-- > 0 && o->accesses.count - i <= 4;) {
		const struct lp_omitted_access *last = &o->accesses.at[i];
		if (last->thread != t || last->index != index)
			break;
		if (last->write == write && loc - last->loc < last->size &&
		    size <= last->size - (loc - last->loc))
			return;
		if (i == o->accesses.count - 1)
			a.nth = last->nth + 1;
	}
	if (a.nth >= RUN) { /* as if all were accessed */
		a.loc = 0;
		a.size = SIZE_MAX;
	}
	LP_PUSH(&o->accesses, a);
}

bool lp_omitted_since(const struct lp_omitted *o, lp_tid t, uint32_t index)
{
	for (uint32_t i = o->accesses.count; i-- > 0;)
		if (o->accesses.at[i].thread == t)
			return o->accesses.at[i].index >= index;
	return false;
}

/* Most are met again and again, with the same past. */
static bool is_recent(struct lp_omitted *o, const struct fact *fact, const uint32_t *clock,
		      uint32_t width)
{
	uint64_t hash = lp_mix(fact->loc ^ fact->size << 48 ^ (uint64_t)fact->write << 63);

	hash = lp_mix(hash ^ ((uint64_t)fact->thread << 32 | fact->at));
	for (uint32_t t = 0; clock && t < width; t++)
		hash = (hash ^ clock[t]) * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t *place = &o->recent[lp_mix(hash) & (LP_OMITTED_RECENT - 1)];
	if (*place == hash)
		return true;
	*place = hash;
	return false;
}

static void put_new(struct lp_omitted *o, lp_tid t, uint32_t at, const uint32_t *clock,
		    uint32_t width, uintptr_t loc, size_t size, bool write)
{
	struct fact fact;

	fact.loc = loc;
	fact.size = size;
	fact.thread = t;
	fact.at = at;
	fact.write = write;
	if (is_recent(o, &fact, clock, width))
		return;
	memset(fact.clock, 0, sizeof fact.clock);
	set_clock(o->facts, &fact, clock, width);
	if (!lp_omitted_matters(o->facts))
		put_locked(o->facts, &fact);
}

void lp_omitted_accessed(struct lp_omitted *o, lp_tid t, uint32_t index, const uint32_t *clock,
			 uint32_t width, uintptr_t loc, size_t size, bool write)
{
	if (!o->on || !clock) /* nothing has happened: nobody else is there yet */
		return;
	log_access(o, t, index, loc, size, write);
	if (write && o->facts)
		put_new(o, t, index, clock, width, loc, size, true);
}

/* Operations that have come up since: atomic writes. */
static void note_operations(struct lp_explorer *x, struct lp_omitted *o)
{
	for (; o->ops < x->ops.op.count; o->ops++) {
		const struct lp_op *op = &x->ops.op.at[o->ops].op;
		if ((op->kind != LP_OP_STORE && op->kind != LP_OP_RMW) || op->internal ||
		    op->order == LP_PLAIN)
			continue;
		const struct fact fact = { .loc = op->loc, .size = op->size, .thread = NOBODY,
					   .at = UINT32_MAX, .write = true };
		put_locked(o->facts, &fact);
	}
}

void lp_omitted_finish(struct lp_explorer *x)
{
	if (x->machine.omitted.facts)
		note_operations(x, &x->machine.omitted);
}

/* Takes account of the read, in an iteration that began after `from` events. */
static void note_read(struct lp_explorer *x, const struct lp_omitted_access *r, uint32_t from)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const lp_eid before = lp_graph_before(g, r->thread, r->index);

	put_new(&x->machine.omitted, r->thread, from,
		before == LP_NO_EVENT ? NULL : lp_graph_clock(g, before, LP_CLOCK_HB), g->width,
		r->loc, r->size, false);
}

/* Careful: is the iteration to be kept?  The thread's last event remembers. */
static bool is_kept(struct lp_explorer *x, lp_tid thread, uint32_t from)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];

	for (uint32_t i = 0; i < t->count; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->again && e->target == from)
			return true;
		if (e->again && i < from)
			return false;
	}
	struct lp_event *last = lp_graph_event(g, LP_LAST(t));
	last->again = true;
	last->target = from;
	return true;
}

bool lp_omits(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to)
{
	struct lp_omitted *o = &x->machine.omitted;
	bool reads = false;

	if (o->facts)
		note_operations(x, o);
	for (uint32_t i = o->accesses.count; i-- > 0;) {
		const struct lp_omitted_access *r = &o->accesses.at[i];
		if (r->thread != thread || r->write)
			continue;
		if (r->index <= from)
			break;
		if (r->index > to)
			continue;
		reads = true;
		if (!o->facts)
			break;
		note_read(x, r, from);
	}
	return !reads || !x->options->careful || !is_kept(x, thread, from);
}
