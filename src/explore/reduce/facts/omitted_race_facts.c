/* omitted_race_facts.c -- the accesses, of all executions, between which races may have been lost. */
#define _GNU_SOURCE
#include "explore/reduce/facts/omitted_race_facts.h"
#include "explore/reduce/facts/fact_bytes.h"
#include "explore/reduce/omitted_races.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

enum {
	FACTS = 16384,  /* the most facts; if there are more, the exploration becomes careful */
	BUCKETS = 4096, /* a power of two */
	SAME = 8,       /* the most facts that differ only in clock and time; further ones are
	                 * merged */
	WORDS = 4096,   /* of a filter, a power of two */
	AREA = 1024,    /* groups of a filter that are also next to each other in memory; a power of
	                 * two */
	PAGE_WORDS = 512,
	PAGES = WORDS / PAGE_WORDS, /* of a filter */
	FEW = 1024,     /* facts that are cleared, so that their memory can be used again */
};

/* Why a restart is needed. */
enum {
	PLAIN = 1,   /* a race with a plain read */
	ATOMIC = 2,  /* a race with an atomic access */
	HELPED = 4,  /* a race with a read before an operation for which other threads wait */
	SEEN = 8,    /* a lock */
	STORED = 16, /* a store of an omitted iteration may have been read */
};

struct lp_omitted_facts {
	pthread_mutex_t lock;
	bool shared;
	_Atomic unsigned why;
	enum lp_careful careful;  /* which iterations are kept: they need no facts */
	_Atomic uint64_t set[LP_FACT_SETS][WORDS]; /* hashed sets of groups of four bytes; they may have more members
	                                            * than were added */
	_Atomic uint64_t used;    /* the pages of the sets that are not zero; page p of set s is bit s * PAGES + p */
	uint32_t count;
	uint32_t bucket[BUCKETS]; /* from 1 */
	struct lp_fact at[FACTS]; /* pages take memory when they are first used */
};

struct lp_omitted_facts *lp_omitted_facts_open(const struct lp_explore_options *options)
{
	struct lp_omitted_facts *f = lp_try_alloc_pages(sizeof *f, lp_explore_is_shared(options));
	pthread_mutexattr_t attributes;

	if (!f)
		return NULL;
	f->shared = lp_explore_is_shared(options);
	f->careful = options->reduce.careful;
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
	if (f->shared || f->count > FEW) {
		lp_free_pages(f, sizeof *f);
		return;
	}
	for (uint32_t p = 0; p < LP_FACT_SETS * PAGES; p++)
		if (f->used >> p & 1)
			memset(&f->set[p / PAGES][p % PAGES * PAGE_WORDS], 0, sizeof f->set[0][0] * PAGE_WORDS);
	memset(f->at, 0, sizeof *f->at * f->count);
	memset(f->bucket, 0, sizeof f->bucket);
	memset(f, 0, offsetof(struct lp_omitted_facts, set));
	f->used = f->count = 0;
	lp_keep_pages(f, sizeof *f);
}

/* Adds bits to a word of a set. */
static void set_bits(struct lp_omitted_facts *f, enum lp_fact_set set, uint32_t word, uint64_t bits)
{
	atomic_fetch_or(&f->used, UINT64_C(1) << (set * PAGES + word / PAGE_WORDS));
	atomic_fetch_or(&f->set[set][word], bits);
}

bool lp_omitted_matters(const struct lp_omitted_facts *f)
{
	return f && atomic_load_explicit(&f->why, memory_order_relaxed);
}

void lp_omitted_heed(const struct lp_omitted_facts *f, struct lp_explore_options *without)
{
	const unsigned why = f ? f->why : 0;

	if (why & PLAIN && without->reduce.careful == LP_CARELESS)
		without->reduce.careful = LP_CAREFUL_IF_PLAIN;
	if (why & ATOMIC)
		without->reduce.careful = LP_CAREFUL;
	without->reduce.attempts &= !(why & SEEN);
	without->reduce.helping &= !(why & HELPED);
	without->reduce.stores_seen |= (why & STORED) != 0;
}

enum lp_careful lp_facts_careful(const struct lp_omitted_facts *f)
{
	return f->careful;
}

/* ---- two of them ---- */

static bool overlap(const struct lp_fact *a, const struct lp_fact *b)
{
	return a->loc - b->loc < b->size || b->loc - a->loc < a->size ||
	       (a->theirs && b->theirs && (a->place - b->place < b->size || b->place - a->place < a->size));
}

/* May b be concurrent with a, as far as the clock of a tells? */
static bool may_miss(const struct lp_fact *a, const struct lp_fact *b)
{
	return b->thread == LP_FACT_ANY_THREAD || b->at >= a->clock[b->thread];
}

static bool holds(const struct lp_fact *a, uintptr_t lock)
{
	for (uint32_t i = 0; i < LP_FACT_HELD; i++)
		if (a->held[i] == lock)
			return true;
	return false;
}

/* Are the two ordered in every execution by a lock that both hold? */
static bool exclude_each_other(const struct lp_fact *a, const struct lp_fact *b)
{
	for (uint32_t i = 0; i < LP_FACT_HELD && a->held[i]; i++)
		if (holds(b, a->held[i]))
			return true;
	return false;
}

/* b is on a lock that a left-out iteration takes and gives back.  May a see the lock while it is held? */
static bool may_see(const struct lp_fact *a, const struct lp_fact *b)
{
	return a->lock && !a->left && b->lock && b->left && overlap(a, b);
}

/* May the two race?  Two accesses that are both explored need not be compared, because the race
 * detector compares them. */
static bool may_race(const struct lp_fact *a, const struct lp_fact *b)
{
	const bool sees = (a->lock && !a->left) || (b->lock && !b->left);

	return !sees && (a->left || b->left) && (a->write || b->write) && !(a->atomic && b->atomic) &&
	       (a->thread != b->thread || a->thread == LP_FACT_ANY_THREAD) && !(a->by_owner && b->by_owner) &&
	       overlap(a, b) && may_miss(a, b) && may_miss(b, a) &&
	       !(a->found && b->after) && !(b->found && a->after) &&
	       !exclude_each_other(a, b);
}

/* May every access that may race with b also race with a? */
static bool dominates(const struct lp_fact *a, const struct lp_fact *b)
{
	if (a->at < b->at)
		return false;
	for (uint32_t t = 0; t < LP_FACT_THREADS; t++)
		if (a->clock[t] > b->clock[t])
			return false;
	for (uint32_t i = 0; i < LP_FACT_HELD && a->held[i]; i++)
		if (!holds(b, a->held[i]))
			return false;
	return true;
}

/* Is the list of locks ended by zeros, without duplicates? */
static bool is_list(const struct lp_fact *a)
{
	for (uint32_t i = 1; i < LP_FACT_HELD; i++)
		for (uint32_t k = 0; k < i; k++)
			if (a->held[i] && (!a->held[k] || a->held[k] == a->held[i]))
				return false;
	return true;
}

void lp_fact_take(struct lp_fact *fact, uintptr_t lock)
{
	LP_HOLDS(lock && !holds(fact, lock));
	for (uint32_t i = 0; i < LP_FACT_HELD; i++) {
		if (!fact->held[i]) {
			fact->held[i] = lock;
			return;
		}
	}
}

void lp_fact_let_go(struct lp_fact *fact, uintptr_t lock)
{
	for (uint32_t i = 0; i < LP_FACT_HELD; i++) {
		if (fact->held[i] != lock)
			continue;
		memmove(&fact->held[i], &fact->held[i + 1], sizeof *fact->held * (LP_FACT_HELD - 1 - i));
		fact->held[LP_FACT_HELD - 1] = 0;
	}
	LP_HOLDS(is_list(fact) && (!lock || !holds(fact, lock)));
}

static void merge(struct lp_fact *into, const struct lp_fact *from)
{
	if (into->at < from->at)
		into->at = from->at;
	for (uint32_t t = 0; t < LP_FACT_THREADS; t++)
		if (into->clock[t] > from->clock[t])
			into->clock[t] = from->clock[t];
	for (uint32_t i = 0; i < LP_FACT_HELD; i++) {
		while (into->held[i] && !holds(from, into->held[i]))
			lp_fact_let_go(into, into->held[i]);
	}
	LP_VALID(dominates(into, from));
}

static bool is_like(const struct lp_fact *a, const struct lp_fact *b)
{
	return a->loc == b->loc && a->size == b->size && a->thread == b->thread &&
	       a->write == b->write && a->atomic == b->atomic && a->left == b->left &&
	       a->lock == b->lock && a->helped == b->helped && a->theirs == b->theirs &&
	       a->by_owner == b->by_owner && a->found == b->found && a->after == b->after;
}

/* ---- all of them ---- */

static void compare_with_all(struct lp_omitted_facts *f, const struct lp_fact *fact)
{
	for (uint32_t i = 0; i < f->count; i++) {
		const struct lp_fact *left = fact->left ? fact : &f->at[i];
		if (may_race(&f->at[i], fact))
			atomic_fetch_or(&f->why, left->helped ? HELPED : left->atomic ? ATOMIC : PLAIN);
		if (may_see(&f->at[i], fact) || may_see(fact, &f->at[i]))
			atomic_fetch_or(&f->why, SEEN);
	}
}

void lp_facts_give_up(struct lp_omitted_facts *f)
{
	atomic_fetch_or(&f->why, ATOMIC | HELPED | SEEN);
}

static uint32_t bucket_of(const struct lp_fact *fact)
{
	return lp_mix(fact->loc ^ fact->size << 48 ^ (uint64_t)fact->thread << 56 ^ fact->write) & (BUCKETS - 1);
}

/* Is each fact in the list of its bucket, newest first, and in no other list? */
static bool are_whole(const struct lp_omitted_facts *f)
{
	uint32_t listed = 0;

	for (uint32_t b = 0; b < BUCKETS; b++)
		for (uint32_t i = f->bucket[b]; i; i = f->at[i - 1].next, listed++)
			if (i > f->count || f->at[i - 1].next >= i || bucket_of(&f->at[i - 1]) != b || !is_list(&f->at[i - 1]))
				return false;
	return listed == f->count && f->count <= FACTS;
}

static void put(struct lp_omitted_facts *f, const struct lp_fact *fact)
{
	uint32_t *bucket = &f->bucket[bucket_of(fact)];
	uint32_t same = 0;
	struct lp_fact *last = NULL;

	LP_HOLDS(fact->size && fact->thread <= LP_FACT_ANY_THREAD && is_list(fact));
	for (uint32_t i = *bucket; i; i = f->at[i - 1].next) {
		struct lp_fact *other = &f->at[i - 1];
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
		lp_facts_give_up(f);
		return;
	}
	compare_with_all(f, fact);
	f->at[f->count] = *fact;
	f->at[f->count].next = *bucket;
	*bucket = ++f->count;
	LP_VALID(are_whole(f));
}

void lp_facts_put(struct lp_omitted_facts *f, const struct lp_fact *fact)
{
	if (pthread_mutex_lock(&f->lock) == EOWNERDEAD) {
		pthread_mutex_consistent(&f->lock);
		lp_facts_give_up(f); /* a worker died while it changed the facts */
	} else {
		put(f, fact);
	}
	pthread_mutex_unlock(&f->lock);
}

/* The bit that stands for the group.  Neighbouring groups have neighbouring bits: most programs use few pages
 * of memory, so they use few pages of the filter. */
static uint64_t bit_of(uintptr_t group)
{
	const uint64_t h = lp_mix(group / AREA);

	return ((group ^ h) % AREA + h / AREA * AREA) % (64 * WORDS);
}

static void tell_of_pair(struct lp_omitted_facts *f, enum lp_fact_set set)
{
	atomic_fetch_or(&f->why, set == LP_FACT_RELIED || set == LP_FACT_SPOILT ? STORED : ATOMIC);
}

void lp_facts_add(struct lp_omitted_facts *f, enum lp_fact_set set, uintptr_t loc, size_t size)
{
	const _Atomic uint64_t *into = f->set[set];
	const _Atomic uint64_t *other = f->set[set ^ 1];
	bool both = size == SIZE_MAX; /* the range is all of memory, as an entry of the log says, so
	                               * it is in every set */

	LP_HOLDS(set < LP_FACT_SETS && size && (both || loc + size - 1 >= loc));
	for (uintptr_t four = loc >> 2; !both && four <= (loc + size - 1) >> 2; four++) {
		const uint64_t h = bit_of(four), bit = UINT64_C(1) << h % 64;
		if (!(atomic_load_explicit(&into[h / 64], memory_order_relaxed) & bit))
			set_bits(f, set, (uint32_t)(h / 64), bit);
		both |= (atomic_load(&other[h / 64]) & bit) != 0;
	}
	LP_AGREES(both || lp_facts_has(f, set, loc, size));
	if (both)
		tell_of_pair(f, set);
}

bool lp_facts_has(const struct lp_omitted_facts *f, enum lp_fact_set set, uintptr_t loc, size_t size)
{
	LP_HOLDS(set < LP_FACT_SETS && size);
	for (uintptr_t four = loc >> 2; four <= (loc + size - 1) >> 2; four++) {
		const uint64_t h = bit_of(four);
		if (atomic_load(&f->set[set][h / 64]) >> h % 64 & 1)
			return true;
	}
	return false;
}

void lp_facts_keep_all(struct lp_omitted_facts *f)
{
	atomic_fetch_or(&f->why, ATOMIC);
}

/* ---- facts of other machines ---- */

/* A fact as bytes.  `count` parts of its clock follow. */
struct portable {
	uint64_t loc, size, place;
	uint32_t thread, at, threads;
	uint8_t write, atomic, left, lock, helped, theirs, by_owner, found, after; /* 0: no */
	uint64_t held[LP_FACT_HELD];
};

static void write_fact(const struct lp_fact *f, struct lp_bytes *to)
{
	struct portable p;

	memset(&p, 0, sizeof p);
	p.loc = f->loc;
	p.size = f->size;
	p.place = f->place;
	p.thread = f->thread;
	p.at = f->at;
	for (p.threads = LP_FACT_THREADS; p.threads && !f->clock[p.threads - 1];)
		p.threads--;
	p.write = f->write;
	p.atomic = f->atomic;
	p.left = f->left;
	p.lock = f->lock;
	p.helped = f->helped;
	p.theirs = f->theirs;
	p.by_owner = f->by_owner;
	p.found = f->found;
	p.after = f->after;
	for (uint32_t i = 0; i < LP_FACT_HELD; i++)
		p.held[i] = f->held[i];
	lp_bytes_put(to, &p, sizeof p);
	lp_bytes_put(to, f->clock, sizeof *f->clock * p.threads);
}

static bool read_fact(struct lp_cursor *from, struct lp_fact *f)
{
	struct portable p;

	lp_cursor_get(from, &p, sizeof p);
	from->bad |= p.threads > LP_FACT_THREADS || p.thread > LP_FACT_ANY_THREAD || !p.size;
	if (from->bad)
		return false;
	*f = (struct lp_fact){ .loc = p.loc, .size = p.size, .place = p.place, .thread = p.thread, .at = p.at, .write = p.write,
			       .atomic = p.atomic, .left = p.left, .lock = p.lock, .helped = p.helped, .theirs = p.theirs,
			       .by_owner = p.by_owner, .found = p.found, .after = p.after };
	for (uint32_t i = 0; i < LP_FACT_HELD; i++)
		f->held[i] = p.held[i];
	from->bad |= !is_list(f);
	return lp_cursor_get(from, f->clock, sizeof *f->clock * p.threads);
}

/* The lock is held, so that the list does not change while it is written. */
void lp_omitted_facts_write(struct lp_omitted_facts *f, struct lp_bytes *to)
{
	const uint32_t why = f->why;

	lp_bytes_put(to, &why, sizeof why);
	for (enum lp_fact_set s = 0; s < LP_FACT_SETS; s++)
		lp_fact_words_write(f->set[s], WORDS, to);
	if (pthread_mutex_lock(&f->lock) == EOWNERDEAD) {
		pthread_mutex_consistent(&f->lock);
		lp_facts_give_up(f);
	}
	lp_bytes_put(to, &f->count, sizeof f->count);
	for (uint32_t i = 0; i < f->count; i++)
		write_fact(&f->at[i], to);
	pthread_mutex_unlock(&f->lock);
}

/* A byte that is in both sets of a pair is reason for a restart. */
static void unite_sets(struct lp_omitted_facts *f, enum lp_fact_set set, const uint64_t *words)
{
	bool both = false;

	for (uint32_t i = 0; i < WORDS; i++) {
		if (words[i])
			set_bits(f, set, i, words[i]);
		both |= (words[i] & atomic_load(&f->set[set ^ 1][i])) != 0;
	}
	if (both)
		tell_of_pair(f, set);
}

bool lp_omitted_facts_merge(struct lp_omitted_facts *f, struct lp_cursor *from)
{
	uint64_t *words = lp_alloc(sizeof *words * WORDS);
	const uint32_t why = lp_cursor_u32(from);
	struct lp_fact fact;

	from->bad |= (why & ~(uint32_t)(PLAIN | ATOMIC | HELPED | SEEN | STORED)) != 0;
	for (enum lp_fact_set s = 0; s < LP_FACT_SETS && lp_fact_words_read(from, words, WORDS); s++)
		unite_sets(f, s, words);
	lp_free(words);
	for (uint32_t n = lp_cursor_u32(from); n && !from->bad && read_fact(from, &fact); n--)
		lp_facts_put(f, &fact);
	if (!from->bad && why)
		atomic_fetch_or(&f->why, why);
	return !from->bad;
}
