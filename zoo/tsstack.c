/* tsstack.c -- a stack of pools, ordered by time stamps.
 *
 * M. Dodds, A. Haas and C. Kirsch, "A Scalable, Correct Time-Stamped Stack" (POPL 2015).  Every
 * thread pushes into a pool of its own, and stamps the item afterwards.  A pop goes through all
 * pools and takes the youngest item that it has seen; one that is younger than the pop itself it
 * takes at once.  If there is none, and no pool has changed since it was looked at, the stack
 * is empty.
 *
 * Time is a counter (the paper's TS-atomic); with -DTS_CAS one that is only advanced if no other
 * thread just did, so that a stamp is an interval; with -DTS_STUTTER a clock for each thread, set past
 * all the others.  Stamps that overlap are of pushes that overlap.
 *
 * All accesses have the strongest orders below seq_cst.  For a stack these suffice only if time is a
 * counter (docs/findings/tsstack.md); with -DSEQ_CST the accesses have that order.
 *
 * A thread is known by pthread_self(), which linchpin counts from 1 (for main) on.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef SEQ_CST
#define READ memory_order_seq_cst
#define WRITE memory_order_seq_cst
#define SWAP memory_order_seq_cst
#else
#define READ memory_order_acquire
#define WRITE memory_order_release
#define SWAP memory_order_acq_rel
#endif
#ifndef POOLS
#define POOLS 6 /* threads, at most */
#endif

/* ---- time ---- */

typedef uint64_t stamp; /* an interval: its first moment in the upper half, its last in the lower */

static const stamp not_yet = UINT64_MAX; /* younger than all others */

static stamp interval(uint64_t first, uint64_t last) { return first << 32 | last; }
static bool is_younger(stamp a, stamp b) { return a >> 32 > (uint32_t)b; }
/* The first thread only starts the others: it may share a pool. */
static unsigned me(void) { return assert(pthread_self() <= POOLS + 1), (unsigned)pthread_self() % POOLS; }

#ifdef TS_STUTTER
static atomic_uint clocks[POOLS];

static stamp new_stamp(void)
{
	unsigned now = 0;

	for (unsigned i = 0; i < POOLS; i++) {
		unsigned clock = atomic_load_explicit(&clocks[i], READ);
		now = clock > now ? clock : now;
	}
	now++;
	atomic_store_explicit(&clocks[me()], now, WRITE);
	return interval(now, now);
}
#else
static atomic_uint moment = 1;

static stamp new_stamp(void)
{
#ifdef TS_CAS
	unsigned first = atomic_load_explicit(&moment, READ), last = first;

	if (atomic_compare_exchange_strong_explicit(&moment, &last, first + 1, SWAP, READ))
		return interval(first, first);
	return interval(first, last - 1);
#else
	unsigned now = atomic_fetch_add_explicit(&moment, 1, SWAP);
	return interval(now, now);
#endif
}
#endif

/* ---- pools: one thread inserts, all remove ---- */

struct item {
	long value;
	_Atomic(stamp) when;
	atomic_bool taken;
	struct item *next; /* itself: it is the last, and no item */
};

struct pool {
	_Atomic(struct item *) top;
};

static struct item *new_item(long value, bool taken)
{
	struct item *item = malloc(sizeof *item);
	item->value = value;
	atomic_init(&item->when, not_yet);
	atomic_init(&item->taken, taken);
	item->next = item;
	return item;
}

static bool is_taken(struct item *item) { return atomic_load_explicit(&item->taken, READ); }

static void pool_init(struct pool *p)
{
	atomic_init(&p->top, new_item(0, true));
}

static void pool_insert(struct pool *p, struct item *item)
{
	struct item *next = atomic_load_explicit(&p->top, READ);

	while (next->next != next && is_taken(next))
		next = next->next;
	item->next = next;
	atomic_store_explicit(&p->top, item, WRITE);
}

/* The youngest item that is not taken, or null, and where the search began. */
static struct item *pool_youngest(struct pool *p, struct item **top)
{
	struct item *item = *top = atomic_load_explicit(&p->top, READ);

	while (is_taken(item)) {
		if (item->next == item)
			return NULL;
		item = item->next;
	}
	return item;
}

static bool pool_remove(struct pool *p, struct item *top, struct item *item)
{
	bool no = false;

	if (!atomic_compare_exchange_strong_explicit(&item->taken, &no, true, SWAP, READ))
		return false;
	/* Those above it were taken before. */
	atomic_compare_exchange_strong_explicit(&p->top, &top, item, SWAP, READ);
	return true;
}

/* ---- the stack ---- */

struct stack {
	struct pool pool[POOLS];
};

static void stack_push(struct stack *s, long value)
{
	struct item *item = new_item(value, false);

	pool_insert(&s->pool[me()], item);
	atomic_store_explicit(&item->when, new_stamp(), WRITE);
}

/* True if it is over, with an item or with none. */
static bool try_pop(struct stack *s, stamp start, struct item **result)
{
	struct item *top[POOLS], *best = NULL, *item;
	stamp best_when = 0;
	unsigned where = 0;

	for (unsigned i = 0; i < POOLS; i++) {
		if (!(item = pool_youngest(&s->pool[i], &top[i])))
			continue;
		stamp when = atomic_load_explicit(&item->when, READ);
		if (is_younger(when, start)) {
			*result = item;
			return pool_remove(&s->pool[i], top[i], item);
		}
		if (!best || is_younger(when, best_when)) {
			best = item;
			best_when = when;
			where = i;
		}
	}
	*result = best;
	if (best)
		return pool_remove(&s->pool[where], top[where], best);
	for (unsigned i = 0; i < POOLS; i++)
		if (atomic_load_explicit(&s->pool[i].top, READ) != top[i])
			return false;
	return true;
}

static bool stack_pop(struct stack *s, long *value)
{
	stamp start = new_stamp();
	struct item *item;

	while (!try_pop(s, start, &item))
		;
	if (item)
		*value = item->value;
	return item;
}

#include <linchpin.h>

static struct stack s;

LP_SPEC("stack")
LP_SETUP
{
	for (unsigned i = 0; i < POOLS; i++)
		pool_init(&s.pool[i]);
}
LP_METHOD(push, v) { stack_push(&s, v); return LP_VOID; }
LP_METHOD(pop) { long v; return stack_pop(&s, &v) ? v : LP_EMPTY; }
