/* kfifo_list.c -- a queue that is first in, first out up to k, of any size.
 *
 * C. Kirsch, M. Lippautz and H. Payer, "Fast and Scalable, Lock-Free k-FIFO Queues" (PaCT 2013), the
 * one that is not bounded; kfifo.c is the other.  A list of segments of K cells.  An enqueue takes any
 * empty cell of the segment at `tail`, and appends a segment if there is none; a dequeue takes any full
 * one of that at `head`, and unlinks the segment if there is none.  Up to K-1 values may overtake
 * one.  With K = 1 it is a strict queue.
 *
 *     -DNO_COMMIT  an enqueue does not look whether its segment was unlinked when it had put its value
 *                  there: values are lost
 *     -DNO_MARK    a segment is not marked when it is unlinked: the same, as no enqueue can see it
 *     -DNO_BUMP    in the first segment, an enqueue does not make `head` look different: the same, as
 *                  a dequeue may have found the segment empty before
 *     -DSHARED     a dequeue takes values from the last segment, too, without closing it: so
 *                  a value may be overtaken forever
 *
 * An enqueue that cannot commit starts again, which need not have an end (docs/findings/kfifo.md).
 *
 * Segments are not used again, so that only the ends need counts (in their upper 16 bits), because
 * of those that make `head` look different; and cells (in their upper half), because they are used
 * again.  All accesses are seq_cst.  Where the algorithm starts at a random cell, all cells are tried.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <linchpin.h>

#ifndef K
#define K 2
#endif

enum { NOTHING = 0 /* values are not 0 */, VALUE_BITS = 32, POINTER_BITS = 48 };

typedef uint64_t word;

struct segment {
	_Atomic(word) cell[K];
	_Atomic(struct segment *) next;
	atomic_bool unlinked; /* or about to be */
};

static _Atomic(word) head, tail;

static struct segment *segment_of(word end)
{
	return (struct segment *)(uintptr_t)(end & ((UINT64_C(1) << POINTER_BITS) - 1));
}

static uint32_t value_of(word cell)
{
	return (uint32_t)cell;
}

static word with_value(word cell, uint32_t value)
{
	return ((cell >> VALUE_BITS) + 1) << VALUE_BITS | value;
}

static bool change(_Atomic(word) *place, word from, word to)
{
	return atomic_compare_exchange_strong(place, &from, to);
}

static bool move(_Atomic(word) *end, word from, struct segment *to)
{
	return change(end, from, ((from >> POINTER_BITS) + 1) << POINTER_BITS | (uintptr_t)to);
}

/* A cell of the segment that is empty, or full, and what was in it; NULL if there is none. */
static _Atomic(word) *find(struct segment *segment, bool full, word *old)
{
	const unsigned first = K > 1 ? lp_choose(K) : 0;

	for (unsigned i = 0; i < K; i++) {
		_Atomic(word) *cell = &segment->cell[(first + i) % K];
		*old = atomic_load(cell);
		if ((value_of(*old) != NOTHING) == full)
			return cell;
	}
	return NULL;
}

static void advance_tail(word t)
{
	struct segment *next = atomic_load(&segment_of(t)->next);

	if (t != atomic_load(&tail))
		return;
	if (!next) {
		struct segment *fresh = calloc(1, sizeof *fresh);
		if (!atomic_compare_exchange_strong(&segment_of(t)->next, &next, fresh)) {
			free(fresh);
			return; /* who has appended one moves the tail, or the next one does */
		}
		next = fresh;
	}
	move(&tail, t, next);
}

static void advance_head(word h)
{
	const word t = atomic_load(&tail);
	struct segment *next = atomic_load(&segment_of(h)->next);

	if (h != atomic_load(&head))
		return;
	if (segment_of(h) == segment_of(t)) { /* the head must not overtake the tail */
		if (!next)
			return;
		move(&tail, t, next);
	}
#ifndef NO_MARK
	atomic_store(&segment_of(h)->unlinked, true);
#endif
	move(&head, h, next);
}

/* May the value stay in its cell?  If not it is taken out, unless somebody else has. */
static bool committed(struct segment *segment, _Atomic(word) *cell, word filled)
{
#ifdef NO_COMMIT
	(void)segment, (void)cell, (void)filled;
	return true;
#else
	if (atomic_load(cell) != filled)
		return true; /* dequeued */
	const word h = atomic_load(&head);
	if (!atomic_load(&segment->unlinked)) {
		if (segment_of(h) != segment)
			return true; /* `head` comes here yet, and will find the value */
#ifndef NO_BUMP
		/* A dequeue that has found the segment empty before cannot unlink it now. */
		if (move(&head, h, segment))
#endif
			return true;
	}
	return !change(cell, filled, with_value(filled, NOTHING));
#endif
}

static void enqueue(uint32_t value)
{
	for (;;) {
		const word t = atomic_load(&tail);
		struct segment *segment = segment_of(t);
		word old;
		_Atomic(word) *cell = find(segment, false, &old);
		if (t != atomic_load(&tail))
			continue;
		if (!cell)
			advance_tail(t);
		else if (change(cell, old, with_value(old, value)) &&
			 committed(segment, cell, with_value(old, value)))
			return;
	}
}

static bool dequeue(uint32_t *value)
{
	for (;;) {
		const word h = atomic_load(&head);
		word old;
		_Atomic(word) *cell = find(segment_of(h), true, &old);
		const word t = atomic_load(&tail);
		if (h != atomic_load(&head))
			continue;
		if (cell) {
#ifndef SHARED
			if (segment_of(h) == segment_of(t)) /* enqueues go elsewhere now */
				advance_tail(t);
#endif
			if (change(cell, old, with_value(old, NOTHING))) {
				*value = value_of(old);
				return true;
			}
		} else {
			if (segment_of(h) == segment_of(t) && t == atomic_load(&tail))
				return false;
			advance_head(h);
		}
	}
}

LP_SETUP
{
	const word first = (uintptr_t)calloc(1, sizeof(struct segment));
	atomic_init(&head, first);
	atomic_init(&tail, first);
}
#ifdef BAG /* a promise of values, but not of any order */
LP_SPEC("multiset")
LP_METHOD(insert, v) { enqueue((uint32_t)v); return LP_VOID; }
LP_METHOD(take) { uint32_t v; return dequeue(&v) ? v : LP_EMPTY; }
#else
LP_SPEC("queue")
LP_METHOD(enqueue, v) { enqueue((uint32_t)v); return LP_VOID; }
LP_METHOD(dequeue) { uint32_t v; return dequeue(&v) ? v : LP_EMPTY; }
#endif
