/* segmentstack.c -- a lock-free stack of segments, in which order is not kept.
 *
 * The counterpart of the segment queue (segmentqueue.c), after the k-stack of Henzinger, Kirsch, Payer, Sezgin and Sokolova,
 * "Quantitative Relaxation of Concurrent Data Structures" (POPL 2013).  A stack, as Treiber's, of segments with SIZE cells.  A push fills any
 * empty cell of the segment on top, or puts a new segment there; a pop takes any value of the segment on top, and
 * drops the segment when there is none.
 *
 * Before a pop takes a value it closes the segment: its empty cells are filled with a mark, so that a segment of which values
 * were taken gets no others.  Then the values of a segment are pushed one after the other, and popped in any order:
 * pushes are out of order by less than SIZE (quasi:push=1 for SIZE = 2), and pops are not.  In the k-stack segments are
 * not closed: a value can stay there while any number of later ones come and go, for which there is no factor.
 *
 *     -DSEGMENTS=2   more segments are not made: a push that needs one is not made either
 *     -DBUG=1        pops close no segments
 *     -DBUG=2        a pop takes from the segment on top or the one below
 *     -DBUG=3        a push fills a cell by a store
 *
 * All accesses are seq_cst; where the algorithm starts at a random cell, all cells are tried.
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 2
#endif
#ifndef SEGMENTS
#define SEGMENTS 2
#endif
#ifndef BUG
#define BUG 0
#endif
_Static_assert(SIZE >= 1 && SEGMENTS >= 1, "there is at least one segment of at least one cell");
_Static_assert(BUG >= 0 && BUG <= 3, "there is no such BUG");

void __VERIFIER_assume(int);

enum { NOTHING = 0, TAKEN = -1 /* or never to be filled */ };

struct segment {
	_Atomic long cell[SIZE];
	struct segment *below;
	unsigned depth;
};

static _Atomic(struct segment *) top;

static unsigned any_cell(void)
{
	return SIZE > 1 ? lp_choose(SIZE) : 0;
}

static bool change(_Atomic long *cell, long from, long to)
{
	return atomic_compare_exchange_strong(cell, &from, to);
}

static bool fill(struct segment *segment, long value)
{
	const unsigned first = any_cell();

	for (unsigned i = 0; i < SIZE; i++) {
		_Atomic long *cell = &segment->cell[(first + i) % SIZE];
		if (BUG == 3 && atomic_load(cell) == NOTHING) {
			atomic_store(cell, value);
			return true;
		}
		if (BUG != 3 && change(cell, NOTHING, value))
			return true;
	}
	return false;
}

static void close_segment(struct segment *segment)
{
	for (unsigned i = 0; i < SIZE && BUG != 1; i++)
		change(&segment->cell[i], NOTHING, TAKEN);
}

/* NOTHING if there is none. */
static long take(struct segment *segment)
{
	const unsigned first = any_cell();

	for (unsigned i = 0; i < SIZE; i++) {
		_Atomic long *cell = &segment->cell[(first + i) % SIZE];
		const long value = atomic_load(cell);
		if (value != NOTHING && value != TAKEN && change(cell, value, TAKEN))
			return value;
	}
	return NOTHING;
}

LP_SPEC("stack")
LP_GC

LP_METHOD(push, v)
{
	struct segment *fresh = NULL;

	for (;;) {
		struct segment *segment = atomic_load(&top);
		if (segment && fill(segment, v))
			return LP_VOID;
		__VERIFIER_assume(!segment || segment->depth < SEGMENTS);
		if (!fresh) {
			fresh = calloc(1, sizeof *fresh);
			atomic_init(&fresh->cell[any_cell()], v);
		}
		fresh->below = segment;
		fresh->depth = segment ? segment->depth + 1 : 1;
		if (atomic_compare_exchange_strong(&top, &segment, fresh))
			return LP_VOID;
	}
}

LP_METHOD(pop)
{
	for (;;) {
		struct segment *segment = atomic_load(&top);
		if (!segment)
			return LP_EMPTY;
		close_segment(segment);
		if (BUG == 2 && segment->below && lp_choose(2))
			segment = segment->below;
		const long value = take(segment);
		if (value != NOTHING)
			return value;
		atomic_compare_exchange_strong(&top, &segment, segment->below);
	}
}
