/* segmentqueue.c -- a queue of segments, in which order is not kept.
 *
 * Y. Afek, G. Korland and E. Yanovsky, "Quasi-Linearizability: Relaxed Consistency for Improved
 * Concurrency" (OPODIS 2010), the segment queue.  A list, as of Michael and Scott, of segments with
 * SIZE cells.  An enqueue takes any empty cell of the last segment, or appends a segment; a
 * dequeue takes any value of the first one that is not yet taken, and drops the segment when all
 * of them are.  A value is overtaken by less than SIZE others.  With SIZE = 1 it is a strict queue.
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

struct cell {
	atomic_long value; /* 0: none yet */
	atomic_bool taken;
};

struct segment {
	struct cell cell[SIZE];
	_Atomic(struct segment *) next;
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
		if (atomic_compare_exchange_strong(&cell->value, &nothing, value))
			return true;
	}
	return false;
}

static void enqueue(long value)
{
	struct segment *fresh = NULL;

	for (;;) {
		struct segment *last = atomic_load(&tail);
		struct segment *next = atomic_load(&last->next);
		if (next) {
			swing(&tail, last, next);
			continue;
		}
		/* The one that `head` is at is used up. */
		if (last != atomic_load(&head) && fill(last, value))
			return;
		if (!fresh)
			fresh = new_segment();
		if (swing(&last->next, NULL, fresh)) {
			swing(&tail, last, fresh);
			fresh = NULL;
		}
	}
}

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
		const unsigned first = any_cell();
		bool all = true;
		for (unsigned i = 0; i < SIZE; i++) {
			struct cell *cell = &segment->cell[(first + i) % SIZE];
			const long found = atomic_load(&cell->value);
			if (!found) {
				all = false;
			} else if (!atomic_exchange(&cell->taken, true)) {
				*value = found;
				return true;
			}
		}
		if (!all)
			return false;
		swing(&head, used, segment);
	}
}

LP_SPEC("queue")
LP_SETUP
{
	struct segment *used = new_segment();
	atomic_init(&head, used);
	atomic_init(&tail, used);
}
LP_METHOD(enqueue, v) { enqueue(v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return dequeue(&v) ? v : LP_EMPTY; }
