/* segmentqueue.c -- a queue of segments, in which order is not kept.
 *
 * Y. Afek, G. Korland and E. Yanovsky, "Quasi-Linearizability: Relaxed Consistency for Improved
 * Concurrency" (OPODIS 2010), the segment queue.  A list, as of Michael and Scott, of segments with
 * SIZE cells.  An enqueue takes any empty cell of the last segment, or appends a segment; a
 * dequeue takes any value of the first one that is not yet taken, and drops the segment when all
 * of them are.  A value is overtaken by less than SIZE others.  With SIZE = 1 it is a strict queue.
 *
 * A dequeue that has met an empty cell and no value that it could take says "empty", which need not
 * be true at any time (docs/findings/segmentqueue.md).  With -DRECHECK it looks again whether those
 * cells are still empty: then they were, all at once, after the others were taken.
 *
 * With -DSEGMENTS=n there are at most n segments beside the one that is used up, and an enqueue that would need another
 * one is refused: the queue is full.  The first segment may be used up, and the cells of it cannot be filled again, so that a
 * full queue may have room for up to SIZE values.  (-DROOM is SEGMENTS times SIZE, for the specification.)  Segments have
 * numbers, modulo n + 1, by which this is found out.
 *
 *     -DBUG=1   a dequeue takes from the first segment or the one behind it
 *     -DBUG=2   an enqueue fills an empty cell by a store, and not by a compare-and-swap
 *     -DBUG=3   a dequeue drops a segment that is not filled yet
 *
 * All accesses are seq_cst; where the algorithm starts at a random cell, all cells are tried.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <linchpin.h>

#ifndef SIZE
#define SIZE 2
#endif
#ifndef BUG
#define BUG 0
#endif
_Static_assert(BUG >= 0 && BUG <= 3, "there is no such BUG");
_Static_assert(SIZE >= 1 && SIZE <= 32, "SIZE is 1 to 32: cells are bits of a word");

struct cell {
	atomic_long value; /* 0: none yet */
	atomic_bool taken;
};

struct segment {
	struct cell cell[SIZE];
	_Atomic(struct segment *) next;
#ifdef SEGMENTS
	unsigned number;
#endif
};

/* `head` is a segment that is used up; the first with values is the one after it. */
static _Atomic(struct segment *) head, tail;

static struct segment *new_segment(void)
{
	return calloc(1, sizeof(struct segment));
}

static bool swing(_Atomic(struct segment *) *place, struct segment *from, struct segment *to)
{
	return atomic_compare_exchange_strong(place, &from, to);
}

static unsigned any_cell(void)
{
	return SIZE > 1 ? lp_choose(SIZE) : 0;
}

static bool fill(struct segment *segment, long value)
{
	const unsigned first = any_cell();

	for (unsigned i = 0; i < SIZE; i++) {
		struct cell *cell = &segment->cell[(first + i) % SIZE];
		long nothing = 0;
		if (BUG == 2 && !atomic_load(&cell->value)) {
			atomic_store(&cell->value, value);
			return true;
		}
		if (BUG != 2 && atomic_compare_exchange_strong(&cell->value, &nothing, value))
			return true;
	}
	return false;
}

#ifdef SEGMENTS
/* Is `last` as far from `used` as it may be? */
static bool is_full(const struct segment *used, const struct segment *last)
{
	return (last->number + SEGMENTS + 1 - used->number) % (SEGMENTS + 1) == SEGMENTS;
}
#endif

/* False if it is full. */
static bool enqueue(long value)
{
	struct segment *fresh = NULL;

	for (;;) {
		struct segment *used = atomic_load(&head);
		struct segment *last = atomic_load(&tail);
		struct segment *next = atomic_load(&last->next);
		/* Were the three so at one time? */
		if (used != atomic_load(&head) || last != atomic_load(&tail))
			continue;
		if (next) {
			swing(&tail, last, next);
			continue;
		}
		if (last != used && fill(last, value))
			return true;
#ifdef SEGMENTS
		if (is_full(used, last)) {
			if (used == atomic_load(&head))
				return false;
			continue;
		}
#endif
		if (!fresh)
			fresh = new_segment();
#ifdef SEGMENTS
		fresh->number = (last->number + 1) % (SEGMENTS + 1);
#endif
		if (swing(&last->next, NULL, fresh)) {
			swing(&tail, last, fresh);
			fresh = NULL;
		}
	}
}

#ifdef RECHECK
/* Does one of the cells have a value, now? */
static bool was_filled(struct segment *segment, unsigned empty)
{
	for (unsigned i = 0; i < SIZE; i++)
		if (empty >> i & 1 && atomic_load(&segment->cell[i].value))
			return true;
	return false;
}
#endif

static bool dequeue(long *value)
{
	for (;;) {
		struct segment *used = atomic_load(&head);
		struct segment *last = atomic_load(&tail);
		struct segment *segment = atomic_load(&used->next);
		if (!segment)
			return false;
		if (used == last) {
			swing(&tail, last, segment);
			continue;
		}
		if (BUG == 1 && lp_choose(2) && atomic_load(&segment->next))
			segment = atomic_load(&segment->next);
		const unsigned first = any_cell();
		unsigned empty = 0; /* a bit for each cell */
		for (unsigned i = 0; i < SIZE; i++) {
			const unsigned at = (first + i) % SIZE;
			struct cell *cell = &segment->cell[at];
			const long found = atomic_load(&cell->value);
			if (!found) {
				empty |= 1u << at;
			} else if (!atomic_exchange(&cell->taken, true)) {
				*value = found;
				return true;
			}
		}
#ifdef RECHECK
		if (was_filled(segment, empty))
			continue;
#endif
		if (empty && (BUG != 3 || segment == atomic_load(&tail)))
			return false;
		swing(&head, used, segment);
	}
}

LP_SETUP
{
	struct segment *used = new_segment();
	atomic_init(&head, used);
	atomic_init(&tail, used);
}
#ifdef BAG /* a promise of values, but not of any order */
LP_SPEC("multiset")
LP_METHOD(insert, v) { enqueue(v); return LP_VOID; } /* there is room */
LP_METHOD(take) { long v; return dequeue(&v) ? v : LP_EMPTY; }
#else
#ifdef SEGMENTS
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#ifndef ROOM
#define ROOM 4
#endif
_Static_assert(ROOM == SEGMENTS * SIZE, "-DROOM must be SEGMENTS times SIZE");
LP_SPEC("slack_queue:bounded=" TEXT(ROOM) ",slack=" TEXT(SIZE))
LP_GC
LP_METHOD(enqueue, v) { return enqueue(v); }
#else
LP_SPEC("queue")
LP_METHOD(enqueue, v) { enqueue(v); return LP_VOID; }
#endif
LP_METHOD(dequeue) { long v; return dequeue(&v) ? v : LP_EMPTY; }
#endif
