/* omitted.c -- races with what was left out. */
#define _GNU_SOURCE
#include "explore/omitted.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "explore/act.h"
#include "explore/grow.h"
#include "explore/idle.h"

enum {
	FACTS = 16384,   /* more are not kept: then we are careful anyway */
	BUCKETS = 4096,  /* a power of two */
	SAME = 8,        /* facts that differ only in clock and moment; more are merged */
	THREADS = 128,
	HELD = 4,        /* locks that are looked at */
	RUN = 128,       /* plain accesses between two operations that are told apart */
	NOBODY = THREADS, /* whoever writes atomically */
	WORDS = 1024,     /* of a filter, a power of two */
};

/* An access that was left out, or a plain write.  The more moments, and the less it knows of
 * others, the more it may race with. */
struct fact {
	uintptr_t loc;
	size_t size;
	uint32_t thread;
	uint32_t at;             /* i, or e */
	uint32_t next;           /* of the bucket, from 1 */
	bool write, atomic, left; /* left out */
	bool lock;               /* left out: on a lock; else: sees whether one is held */
	uintptr_t held[HELD];    /* locks, in no order; then zeros */
	uint32_t clock[THREADS]; /* zero beyond the threads that there were */
};

/* Groups of four bytes, perhaps more of them than were put there. */
typedef _Atomic uint64_t filter[WORDS];

struct lp_omitted_facts {
	pthread_mutex_t lock;
	/* Races with what was read plainly; with what was accessed atomically; seen locks. */
	atomic_bool plain, atomic, seen;
	enum lp_careful careful;  /* of what is kept anyway no account is needed */
	filter read;              /* plainly */
	filter written;           /* atomically, and left out */
	uint32_t count;
	uint32_t bucket[BUCKETS]; /* from 1 */
	struct fact at[FACTS];    /* pages are touched when they are needed */
};

struct lp_omitted_facts *lp_omitted_facts_open(const struct lp_explore_options *options)
{
	struct lp_omitted_facts *f = mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attributes;

	if (f == MAP_FAILED)
		return NULL;
	f->careful = options->careful;
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
	return o->spin && (o->attempts || (o->careful != LP_CAREFUL && !o->races_ignored));
}

void lp_omitted_begin(struct lp_explorer *x)
{
	struct lp_omitted *o = &x->machine.omitted;

	if (!lp_omitted_needed(x->options))
		return;
	o->facts = lp_omitted_facts_open(x->options);
	if (!o->facts)
		lp_explorer_stop(x, "no memory for what is left out");
}

bool lp_omitted_matters(const struct lp_omitted_facts *f)
{
	return f && (atomic_load_explicit(&f->plain, memory_order_relaxed) ||
		     atomic_load_explicit(&f->atomic, memory_order_relaxed) ||
		     atomic_load_explicit(&f->seen, memory_order_relaxed));
}

void lp_omitted_heed(const struct lp_omitted_facts *f, struct lp_explore_options *without)
{
	if (!f)
		return;
	if (f->plain && without->careful == LP_CARELESS)
		without->careful = LP_CAREFUL_IF_PLAIN;
	if (f->atomic)
		without->careful = LP_CAREFUL;
	without->attempts &= !f->seen;
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

static bool holds(const struct fact *a, uintptr_t lock)
{
	for (uint32_t i = 0; i < HELD; i++)
		if (a->held[i] == lock)
			return true;
	return false;
}

/* Whatever the execution, are they ordered by a lock that both hold? */
static bool exclude_each_other(const struct fact *a, const struct fact *b)
{
	for (uint32_t i = 0; i < HELD && a->held[i]; i++)
		if (holds(b, a->held[i]))
			return true;
	return false;
}

/* Of a lock that was taken, and given back, the word is as it was: but who can see, meanwhile? */
static bool may_see(const struct fact *a, const struct fact *b)
{
	return a->lock && !a->left && b->lock && b->left && overlap(a, b);
}

/* Two that take place need not be looked at: they are where races are looked for. */
static bool may_race(const struct fact *a, const struct fact *b)
{
	const bool sees = (a->lock && !a->left) || (b->lock && !b->left);

	return !sees && (a->left || b->left) && (a->write || b->write) && !(a->atomic && b->atomic) &&
	       a->thread != b->thread && overlap(a, b) && may_miss(a, b) && may_miss(b, a) &&
	       !exclude_each_other(a, b);
}

/* Whatever may race with b may with a. */
static bool dominates(const struct fact *a, const struct fact *b)
{
	if (a->at < b->at)
		return false;
	for (uint32_t t = 0; t < THREADS; t++)
		if (a->clock[t] > b->clock[t])
			return false;
	for (uint32_t i = 0; i < HELD && a->held[i]; i++)
		if (!holds(b, a->held[i]))
			return false;
	return true;
}

static void take(struct fact *fact, uintptr_t lock)
{
	for (uint32_t i = 0; i < HELD; i++) {
		if (!fact->held[i]) {
			fact->held[i] = lock;
			return;
		}
	}
}

static void let_go(struct fact *fact, uintptr_t lock)
{
	for (uint32_t i = 0; i < HELD; i++) {
		if (fact->held[i] != lock)
			continue;
		memmove(&fact->held[i], &fact->held[i + 1], sizeof *fact->held * (HELD - 1 - i));
		fact->held[HELD - 1] = 0;
	}
}

static void merge(struct fact *into, const struct fact *from)
{
	if (into->at < from->at)
		into->at = from->at;
	for (uint32_t t = 0; t < THREADS; t++)
		if (into->clock[t] > from->clock[t])
			into->clock[t] = from->clock[t];
	for (uint32_t i = 0; i < HELD; i++) {
		while (into->held[i] && !holds(from, into->held[i]))
			let_go(into, into->held[i]);
	}
}

static bool is_like(const struct fact *a, const struct fact *b)
{
	return a->loc == b->loc && a->size == b->size && a->thread == b->thread &&
	       a->write == b->write && a->atomic == b->atomic && a->left == b->left &&
	       a->lock == b->lock;
}

static void compare_with_all(struct lp_omitted_facts *f, const struct fact *fact)
{
	for (uint32_t i = 0; i < f->count; i++) {
		const struct fact *left = fact->left ? fact : &f->at[i];
		if (may_race(&f->at[i], fact))
			atomic_store(left->atomic ? &f->atomic : &f->plain, true);
		if (may_see(&f->at[i], fact) || may_see(fact, &f->at[i]))
			atomic_store(&f->seen, true);
	}
}

/* Too much happens for an account to be kept. */
static void give_up(struct lp_omitted_facts *f)
{
	atomic_store(&f->atomic, true);
	atomic_store(&f->seen, true);
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
		give_up(f);
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
		give_up(f);
	else if (clock)
		memcpy(fact->clock, clock, sizeof *clock * width);
}

/* Puts the bytes into the one filter: are they in the other one, too? */
static bool are_in_both(_Atomic uint64_t *into, const _Atomic uint64_t *other, uintptr_t loc, size_t size)
{
	bool both = false;

	for (uintptr_t four = loc >> 2; four <= (loc + size - 1) >> 2; four++) {
		const uint64_t h = lp_mix(four) % (64 * WORDS), bit = UINT64_C(1) << h % 64;
		if (!(atomic_load_explicit(&into[h / 64], memory_order_relaxed) & bit))
			atomic_fetch_or(&into[h / 64], bit);
		both |= atomic_load(&other[h / 64]) & bit;
	}
	return both;
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
	const uint64_t kind = fact->write | fact->atomic << 1 | fact->left << 2 | fact->lock << 3;
	uint64_t hash = lp_mix(fact->loc ^ fact->size << 48 ^ kind << 60);

	hash = lp_mix(hash ^ ((uint64_t)fact->thread << 32 | fact->at));
	for (uint32_t i = 0; i < HELD && fact->held[i]; i++)
		hash = lp_mix(hash ^ fact->held[i]);
	for (uint32_t t = 0; clock && t < width; t++)
		hash = (hash ^ clock[t]) * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t *place = &o->recent[lp_mix(hash) & (LP_OMITTED_RECENT - 1)];
	if (*place == hash)
		return true;
	*place = hash;
	return false;
}

static void begin_fact(struct fact *fact, lp_tid t, uint32_t at, uintptr_t loc, size_t size)
{
	memset(fact, 0, offsetof(struct fact, clock));
	fact->thread = t;
	fact->at = at;
	fact->loc = loc;
	fact->size = size;
}

/* All but the clock is in `fact`. */
static void put_new(struct lp_omitted *o, struct fact *fact, const uint32_t *clock, uint32_t width)
{
	if (is_recent(o, fact, clock, width))
		return;
	memset(fact->clock, 0, sizeof fact->clock);
	set_clock(o->facts, fact, clock, width);
	if (!lp_omitted_matters(o->facts))
		put_locked(o->facts, fact);
}

/* The locks that the thread has after `index` events.  More than there is room for are as good as
 * not held. */
static void find_held(const struct lp_graph *g, const struct lp_ops *ops, uint32_t index,
		      struct fact *fact)
{
	const struct lp_thread *t = &g->threads.at[fact->thread];

	for (uint32_t i = ops->locks ? 0 : index; i < index; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		const struct lp_op *op = &ops->op.at[e->op].op;
		if (e->kind != LP_EV_WRITE || !op->lock)
			continue;
		if (e->rmw)
			take(fact, op->loc);
		else
			let_go(fact, op->loc);
	}
}

/* A plain access that takes place. */
static void note_access(struct lp_omitted *o, const struct lp_graph *g, const struct lp_ops *ops,
			lp_tid t, uint32_t index, const uint32_t *clock, uintptr_t loc, size_t size,
			bool write)
{
	struct fact fact;

	if (write) {
		begin_fact(&fact, t, index, loc, size);
		fact.write = true;
		find_held(g, ops, index, &fact);
		put_new(o, &fact, clock, g->width);
	} else if (are_in_both(o->facts->read, o->facts->written, loc, size)) {
		atomic_store(&o->facts->atomic, true);
	}
}

void lp_omitted_accessed(struct lp_omitted *o, const struct lp_graph *g, const struct lp_ops *ops,
			 lp_tid t, uint32_t index, const uint32_t *clock, uintptr_t loc, size_t size,
			 bool write)
{
	if (!o->on || !clock) /* nothing has happened: nobody else is there yet */
		return;
	log_access(o, t, index, loc, size, write);
	if (o->facts && o->facts->careful != LP_CAREFUL)
		note_access(o, g, ops, t, index, clock, loc, size, write);
}

/* Could the operation see whether a lock is held, and do more than wait?  A load of ours is for
 * the sake of a plain write that follows (shim_mutex_destroy). */
static bool sees_locks(const struct lp_op *op)
{
	return lp_is_access(op) && !op->lock && op->order != LP_PLAIN &&
	       !(op->internal && op->kind == LP_OP_LOAD);
}

/* Operations that have come up since: who might see a lock, and atomic writes. */
static void note_operations(struct lp_explorer *x, struct lp_omitted *o)
{
	for (; o->ops < x->ops.op.count; o->ops++) {
		const struct lp_op *op = &x->ops.op.at[o->ops].op;
		if (x->options->attempts && sees_locks(op)) {
			const struct fact sees = { .loc = op->loc, .size = op->size,
						   .thread = NOBODY, .at = UINT32_MAX, .lock = true };
			put_locked(o->facts, &sees);
		}
		if ((op->kind != LP_OP_STORE && op->kind != LP_OP_RMW) || op->internal ||
		    op->order == LP_PLAIN || o->facts->careful != LP_CARELESS)
			continue;
		const struct fact fact = { .loc = op->loc, .size = op->size, .thread = NOBODY,
					   .at = UINT32_MAX, .write = true,
					   .atomic = true };
		put_locked(o->facts, &fact);
	}
}

void lp_omitted_finish(struct lp_explorer *x)
{
	if (x->machine.omitted.facts)
		note_operations(x, &x->machine.omitted);
}

/* Takes account of the plain read, in an iteration that began after `from` events. */
static void note_read(struct lp_explorer *x, const struct lp_omitted_access *r, uint32_t from)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const lp_eid before = lp_graph_before(g, r->thread, r->index);
	struct fact fact;

	begin_fact(&fact, r->thread, from, r->loc, r->size);
	fact.left = true;
	find_held(g, &x->ops, r->index, &fact);
	put_new(&x->machine.omitted, &fact,
		before == LP_NO_EVENT ? NULL : lp_graph_clock(g, before, LP_CLOCK_HB), g->width);
}

/* Likewise of the event; what it synchronises with by itself is ordered before it. */
static void note_event(struct lp_explorer *x, lp_eid id, uint32_t from)
{
	struct lp_omitted *o = &x->machine.omitted;
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);
	const struct lp_op *op = &x->ops.op.at[e->op].op;
	struct fact fact;

	if ((e->kind != LP_EV_READ && e->kind != LP_EV_WRITE) || op->order == LP_PLAIN ||
	    (o->facts->careful == LP_CAREFUL && !op->lock))
		return;
	begin_fact(&fact, e->thread, from, op->loc, op->size);
	fact.write = e->kind == LP_EV_WRITE || lp_is_idle(e, op);
	fact.atomic = fact.left = true;
	fact.lock = op->lock;
	put_new(o, &fact, lp_graph_clock(g, id, LP_CLOCK_HB), g->width);
	if (fact.write && o->facts->careful != LP_CAREFUL &&
	    are_in_both(o->facts->written, o->facts->read, op->loc, op->size))
		atomic_store(&o->facts->atomic, true);
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

/* Takes account of what the iteration reads plainly.  Does it? */
static bool note_reads(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to)
{
	const struct lp_omitted *o = &x->machine.omitted;
	bool reads = false;

	for (uint32_t i = o->accesses.count; i-- > 0;) {
		const struct lp_omitted_access *r = &o->accesses.at[i];
		if (r->thread != thread || r->write)
			continue;
		if (r->index <= from)
			break;
		if (r->index > to)
			continue;
		reads = true;
		if (!o->facts || o->facts->careful != LP_CARELESS)
			break;
		note_read(x, r, from);
	}
	return reads;
}

bool lp_omits(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to)
{
	const struct lp_thread *t = &lp_top(x)->g.threads.at[thread];
	const enum lp_careful careful = x->options->careful;
	struct lp_omitted *o = &x->machine.omitted;

	if (o->facts)
		note_operations(x, o);
	const bool reads = note_reads(x, thread, from, to);
	if ((careful == LP_CAREFUL || (careful == LP_CAREFUL_IF_PLAIN && reads)) &&
	    is_kept(x, thread, from))
		return false;
	for (uint32_t i = o->facts ? from : to; i < to; i++)
		note_event(x, t->at[i], from);
	return true;
}
