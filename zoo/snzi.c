/* snzi.c -- scalable nonzero indicators (Ellen, Lev, Luchangco and Moir, PODC 2007).
 *
 * Has anybody arrived who has not departed?  Threads arrive at leaves of a tree; a node whose
 * surplus becomes positive arrives at its parent, and departs there when it is zero again;
 * a query reads one word beside the root.  A node's count goes from 0 over 1/2 to 1: while
 * it is 1/2 whoever comes helps, and takes back what was one too many.  Counts are stored
 * doubled, with a version above them.
 *
 *     -DSIZE=2     leaves
 *     -DROUNDS=2   no version of a node grows beyond this: versions are finite
 *     -DBUG=1      the indicator is cleared without a look at the root's version
 *     -DBUG=2      an arrival that was one too many is not taken back
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef SIZE
#define SIZE 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef BUG
#define BUG 0
#endif

void __VERIFIER_assume(int);

enum { HALF = 1, ONE = 2, ANNOUNCED = 0x80, COUNT = 0x7f, VERSION = 0x100 };

static _Atomic unsigned root, leaf[SIZE];
static _Atomic unsigned indicator; /* the bit, and a version above it */
static _Thread_local unsigned mine;

LP_SPEC("snzi")
LP_AFTER("depart", "arrive")

static void set_indicator(void)
{
	unsigned i = indicator;

	while (!atomic_compare_exchange_strong(&indicator, &i, (i | 1) + 2))
		;
}

static void root_arrive(void)
{
	unsigned x, y;

	do {
		x = root;
		if ((x & COUNT) == 0) {
			__VERIFIER_assume(x / VERSION < ROUNDS);
			y = (x / VERSION + 1) * VERSION | ANNOUNCED | ONE;
		} else {
			y = x + ONE;
		}
	} while (!atomic_compare_exchange_strong(&root, &x, y));
	if (y & ANNOUNCED) {
		set_indicator();
		atomic_compare_exchange_strong(&root, &y, y & ~ANNOUNCED);
	}
}

static void root_depart(void)
{
	unsigned x;

	do
		x = root;
	while (!atomic_compare_exchange_strong(&root, &x, (x & ~ANNOUNCED) - ONE));
	if ((x & COUNT) >= 2 * ONE)
		return;
	for (;;) {
		unsigned i = indicator;
		if (BUG != 1 && root / VERSION != x / VERSION)
			return;
		if (atomic_compare_exchange_strong(&indicator, &i, (i & ~1u) + 2))
			return;
	}
}

LP_METHOD(arrive)
{
	_Atomic unsigned *node = &leaf[mine = lp_choose(SIZE)];
	unsigned undo = 0;
	bool done = false;

	while (!done) {
		unsigned x = *node, old = x;
		if ((x & COUNT) >= ONE) {
			done = atomic_compare_exchange_strong(node, &old, x + ONE);
		} else if ((x & COUNT) == 0) {
			__VERIFIER_assume(x / VERSION < ROUNDS);
			if (atomic_compare_exchange_strong(node, &old, x + VERSION + HALF)) {
				done = true;
				x += VERSION + HALF;
			}
		}
		if ((x & COUNT) == HALF) {
			old = x;
			root_arrive();
			if (!atomic_compare_exchange_strong(node, &old, x + HALF))
				undo++;
		}
	}
	for (; BUG != 2 && undo; undo--)
		root_depart();
	return LP_VOID;
}

LP_METHOD(depart)
{
	_Atomic unsigned *node = &leaf[mine];
	unsigned x;

	do
		x = *node;
	while (!atomic_compare_exchange_strong(node, &x, x - ONE));
	if ((x & COUNT) == ONE)
		root_depart();
	mine = 0;
	return LP_VOID;
}

LP_METHOD(query)
{
	return indicator & 1;
}
