/* mpmcring.c -- a ring of cells with sequence numbers, for many producers and consumers.
 *
 * D. Vyukov, "Bounded MPMC queue" (1024cores.net, 2010).  A position is taken by compare-exchange; the
 * number in its cell says whose turn it is: `position` a producer's, `position` + 1 a consumer's,
 * `position` + SIZE the producer's of the next lap.
 *
 * As a queue that says "empty" and "full" it is not linearizable: who has taken a position and not
 * yet filled its cell hides those behind it.  Without -DTRY the methods wait instead, and it is.
 * It is also a queue:bounded=2,weak, which allows that.
 *
 *     -DTRY                          enqueue says "full", dequeue says "empty"
 *     -DTRY -DONCE                   ... also when another thread takes the position: more than weak allows
 *     -DTRY -DEARLY                  ... "full" while a cell is free
 *     -DPUBLISH=memory_order_relaxed cells are handed over without what is in them
 *     -DLOOK=memory_order_relaxed    the same, from the other side
 *     -DSAME_LAP                     a consumer does not give the cell back
 */
#include <stdatomic.h>
#include <stdbool.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif
#ifndef LOOK
#define LOOK memory_order_acquire
#endif
#ifdef SAME_LAP
#define LAP 1
#else
#define LAP SIZE
#endif
#ifdef ONCE
#define EXCHANGE atomic_compare_exchange_strong_explicit
#else
#define EXCHANGE atomic_compare_exchange_weak_explicit
#endif

enum { SIZE = 2 };

struct ring {
	struct {
		atomic_uint turn;
		int value;
	} cell[SIZE];
	atomic_uint in, out;
};

static void ring_init(struct ring *r)
{
	for (unsigned i = 0; i < SIZE; i++)
		atomic_init(&r->cell[i].turn, i);
}

/* Takes the next position of `at` whose cell has its turn, which is so many further.  False if that
 * of the next one has not come. */
static bool take(struct ring *r, atomic_uint *at, unsigned further, unsigned *position)
{
	*position = atomic_load_explicit(at, memory_order_relaxed);
	for (;;) {
		unsigned turn = atomic_load_explicit(&r->cell[*position % SIZE].turn, LOOK);
		int ahead = (int)(turn - (*position + further));
		if (ahead < 0)
			return false;
		if (ahead > 0)
			*position = atomic_load_explicit(at, memory_order_relaxed);
		else if (EXCHANGE(at, position, *position + 1, memory_order_relaxed, memory_order_relaxed))
			return true;
#ifdef ONCE
		else
			return false;
#endif
	}
}

static bool ring_put(struct ring *r, int value)
{
	unsigned p;

#ifdef EARLY
	if (atomic_load(&r->in) - atomic_load(&r->out) >= SIZE - 1)
		return false;
#endif
	if (!take(r, &r->in, 0, &p))
		return false;
	r->cell[p % SIZE].value = value;
	atomic_store_explicit(&r->cell[p % SIZE].turn, p + 1, PUBLISH);
	return true;
}

static bool ring_get(struct ring *r, int *value)
{
	unsigned p;

	if (!take(r, &r->out, 1, &p))
		return false;
	*value = r->cell[p % SIZE].value;
	atomic_store_explicit(&r->cell[p % SIZE].turn, p + LAP, PUBLISH);
	return true;
}

#include <linchpin.h>

static struct ring r;

LP_SETUP { ring_init(&r); }
#ifdef TRY
LP_SPEC("queue:bounded=2")
LP_METHOD(enqueue, v) { return ring_put(&r, (int)v) ? LP_VOID : LP_FULL; }
LP_METHOD(dequeue) { int v; return ring_get(&r, &v) ? v : LP_EMPTY; }
#else
LP_SPEC("queue:bounded=2,blocking")
LP_METHOD(enqueue, v)
{
	while (!ring_put(&r, (int)v))
		;
	return LP_VOID;
}
LP_METHOD(dequeue)
{
	int v;
	while (!ring_get(&r, &v))
		;
	return v;
}
#endif
