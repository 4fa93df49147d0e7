/* kfifo.c -- a queue that is first in, first out up to k, of bounded size.
 *
 * C. Kirsch, M. Lippautz and H. Payer, "Fast and Scalable, Lock-Free k-FIFO Queues" (PaCT 2013).  A
 * ring of SEGMENTS segments of K cells.  An enqueue takes any empty cell of the segment at `tail`,
 * a dequeue any full one of that at `head`; an end moves on by a segment when there is
 * nothing to be found.  Up to K-1 values may overtake one.  With K = 1 it is a strict queue.
 *
 * An enqueue that has put its value into a cell must make sure that the segment is not left behind
 * by `head` at that moment (committed()); with -DNO_COMMIT it does not, and values are lost.  An
 * enqueue that cannot commit starts again, which need not have an end (docs/findings/kfifo.md).
 *
 * Cells and ends have a count in their upper half, which goes up with each change.  With -DROOM=n, for threads that call it
 * forever, a cell or an end is the address of a reference instead, which is allocated with each change: two are equal if
 * and only if the counts were.  ROOM must be K times SEGMENTS, for the specification.  An enqueue that finds the queue full has
 * seen a value in the first segment; cells of the others may have been filled by enqueues that do not commit.  So
 * -DSLACK is ROOM - 1: the queue is full only if it is not empty.
 *
 * An enqueue that finds the first segment used up moves `head`, and then `tail`, although another enqueue may have made
 * `head` look different: then `tail` arrives at the first segment, and the values of the others are left out
 * (docs/findings/kfifo.md).  With -DFIXED it starts again in this case.
 *
 *     -DBUG=1   a dequeue takes a value of the first segment or of the one behind it
 *     -DBUG=2   a dequeue does not look whether its segment is still the first one
 *     -DBUG=3   a dequeue from the last segment lets enqueues go on there
 *
 * All accesses are seq_cst.  Where the algorithm starts at a random cell, all cells are tried.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <linchpin.h>

#ifndef K
#define K 2
#endif
#ifndef SEGMENTS
#define SEGMENTS 3
#endif
_Static_assert(K >= 1 && SEGMENTS >= 2, "a ring has at least two segments of at least one cell");

#ifdef FIXED
#define STAYS_BEHIND 1
#else
#define STAYS_BEHIND 0
#endif
#ifndef BUG
#define BUG 0
#endif
_Static_assert(BUG >= 0 && BUG <= 3, "there is no such BUG");

enum { CELLS = K * SEGMENTS, NOTHING = 0 /* values are not 0 */ };

typedef uint64_t word;

static _Atomic(word) cell[CELLS], head, tail;

#ifdef ROOM
#ifndef SLACK
#define SLACK 3
#endif
_Static_assert(ROOM == K * SEGMENTS, "-DROOM must be K times SEGMENTS");

struct reference {
	uint32_t low;
};

static uint32_t low(word w)
{
	return ((const struct reference *)w)->low;
}

static word successor(word from, uint32_t to)
{
	struct reference *r = malloc(sizeof *r);

	(void)from;
	r->low = to;
	return (word)r;
}

LP_GC
LP_SETUP
{
	for (int i = 0; i < CELLS; i++)
		cell[i] = successor(0, NOTHING);
	head = successor(0, 0);
	tail = successor(0, 0);
}
#else
static uint32_t low(word w)
{
	return (uint32_t)w;
}

static word successor(word from, uint32_t to)
{
	return ((from >> 32) + 1) << 32 | to;
}
#endif

static bool change_to(_Atomic(word) *place, word from, word to)
{
	return atomic_compare_exchange_strong(place, &from, to);
}

static bool change(_Atomic(word) *place, word from, uint32_t to)
{
	return change_to(place, from, successor(from, to));
}

static bool move_on(_Atomic(word) *end, word from)
{
	return change(end, from, (low(from) + K) % CELLS);
}

/* A cell of the segment that is empty, or full, and what was in it; -1 if there is none. */
static int find(word segment, bool full, word *old)
{
	const unsigned first = K > 1 ? lp_choose(K) : 0;

	for (unsigned i = 0; i < K; i++) {
		const int at = (int)(low(segment) + (first + i) % K);
		*old = atomic_load(&cell[at]);
		if ((low(*old) != NOTHING) == full)
			return at;
	}
	return -1;
}

/* Is the segment between the ends (both included but for `head`'s own)? */
static bool is_within(uint32_t segment, uint32_t h, uint32_t t)
{
	return h <= t ? h < segment && segment <= t : h < segment || segment <= t;
}

/* May the value stay in its cell?  If not it is taken out, unless somebody else has. */
static bool committed(word segment, int at, word filled)
{
#ifdef NO_COMMIT
	(void)segment, (void)at, (void)filled;
	return true;
#else
	if (atomic_load(&cell[at]) != filled)
		return true; /* dequeued */
	const word h = atomic_load(&head), t = atomic_load(&tail);
	if (is_within(low(segment), low(h), low(t)))
		return true;
	/* In the first segment, `head` is made to look different, so that a dequeue which has found
	 * the segment empty cannot leave it behind. */
	if (low(segment) == low(h) && change(&head, h, low(h)))
		return true;
	return !change(&cell[at], filled, NOTHING);
#endif
}

static bool has_values(word segment)
{
	for (unsigned i = 0; i < K; i++)
		if (low(atomic_load(&cell[low(segment) + i])) != NOTHING)
			return true;
	return false;
}

static bool enqueue(uint32_t value)
{
	for (;;) {
		const word t = atomic_load(&tail), h = atomic_load(&head);
		word old;
		const int at = find(t, false, &old);
		if (t != atomic_load(&tail))
			continue;
		if (at >= 0) {
			const word filled = successor(old, value);
			if (change_to(&cell[at], old, filled) && committed(t, at, filled))
				return true;
			continue;
		}
		if ((low(t) + K) % CELLS == low(h)) { /* the ring is full, or `head` is late */
			if (h != atomic_load(&head))
				continue;
			if (has_values(h)) {
				if (h == atomic_load(&head))
					return false;
				continue;
			}
			if (!move_on(&head, h) && STAYS_BEHIND)
				continue;
		}
		move_on(&tail, t);
	}
}

static bool dequeue(uint32_t *value)
{
	for (;;) {
		const word h = atomic_load(&head);
		word old;
		int at = find(h, true, &old);
		const word t = atomic_load(&tail);
		if (BUG == 1 && at < 0 && low(h) != low(t))
			at = find(successor(h, (low(h) + K) % CELLS), true, &old);
		if (BUG != 2 && h != atomic_load(&head))
			continue;
		if (at >= 0) {
			if (BUG != 3 && low(h) == low(t)) /* enqueues go elsewhere now */
				move_on(&tail, t);
			if (change(&cell[at], old, NOTHING)) {
				*value = low(old);
				return true;
			}
		} else {
			if (low(h) == low(t) && t == atomic_load(&tail))
				return false;
			move_on(&head, h);
		}
	}
}

#ifdef BAG /* a promise of values, but not of any order */
LP_SPEC("multiset")
LP_METHOD(insert, v) { enqueue((uint32_t)v); return LP_VOID; } /* there is room */
LP_METHOD(take) { uint32_t v; return dequeue(&v) ? v : LP_EMPTY; }
#else
#ifdef ROOM
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
LP_SPEC("slack_queue:bounded=" TEXT(ROOM) ",slack=" TEXT(SLACK))
#else
LP_SPEC("queue")
#endif
LP_METHOD(enqueue, v) { return enqueue((uint32_t)v) ? LP_VOID : LP_FULL; }
LP_METHOD(dequeue) { uint32_t v; return dequeue(&v) ? v : LP_EMPTY; }
#endif
