/* snzi.c -- scalable nonzero indicators (Ellen, Lev, Luchangco and Moir, PODC 2007).
 *
 * Has a thread arrived that has not departed?  Threads arrive at nodes of a tree; a node whose
 * surplus becomes positive arrives at its parent, and departs there when it is zero again;
 * a query reads one word beside the root.  A node's count goes from 0 over 1/2 to 1: while
 * it is 1/2, arriving threads help, and undo a surplus arrival at the parent.
 *
 * A node's word has a version, which grows whenever its count leaves 0.  Versions are only ever
 * compared for equality: here a version is the address of a block, allocated afresh, with
 * the count, doubled, in the highest bits (which is allowed), and unreachable
 * versions are collected.  So states are finite though versions are not.
 *
 *     -DSIZE=2     nodes, the root among them; the parent of i is (i - 1) / 2
 *     -DCALLS=n    a thread arrives no more often than that (default: forever)
 *     -DUNDO=1     nor does it help unsuccessfully more often than that in one arrival: without any
 *                  such bound the surplus of the root has none
 *     -DBUG=1      the indicator is cleared without a look at the root's version
 *     -DBUG=2      an arrival that was one too many is not taken back
 *     -DBUG=3      the root's announcement is over before the indicator is set
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 2
#endif
#ifndef UNDO
#define UNDO 1
#endif
#ifndef BUG
#define BUG 0
#endif
_Static_assert(BUG >= 0 && BUG <= 3, "there is no such BUG");

void __VERIFIER_assume(int);

/* The count is above the version. */
#define HALF (UINT64_C(1) << 48)
#define ONE (UINT64_C(2) << 48)
#define COUNT (UINT64_C(0x7fff) << 48)
#define ANNOUNCED (UINT64_C(0x8000) << 48)
#define VERSION (HALF - 1)

static _Atomic uint64_t node[SIZE]; /* 0 is the root */
static _Atomic uint64_t indicator;  /* a version, and 1 above it if it is set */
static _Thread_local unsigned mine;
#ifdef CALLS
static _Thread_local unsigned calls;
#endif

LP_SPEC("snzi")
LP_GC
LP_AFTER("depart", "arrive")
LP_ROLE("query")

static uint64_t new_version(void)
{
	return (uint64_t)(uintptr_t)malloc(1);
}

LP_SETUP
{
	for (unsigned i = 0; i < SIZE; i++)
		node[i] = new_version();
	indicator = new_version();
}

static void root_arrive(void)
{
	uint64_t x, y;

	do {
		x = node[0];
		y = x & COUNT ? x + ONE : new_version() | ANNOUNCED | ONE;
	} while (!atomic_compare_exchange_strong(&node[0], &x, y));
	if (y & ANNOUNCED) {
		if (BUG != 3)
			indicator = new_version() | HALF;
		atomic_compare_exchange_strong(&node[0], &y, y & ~ANNOUNCED);
		if (BUG == 3)
			indicator = new_version() | HALF;
	}
}

static void root_depart(void)
{
	uint64_t x;

	do
		x = node[0];
	while (!atomic_compare_exchange_strong(&node[0], &x, (x & ~ANNOUNCED) - ONE));
	if ((x & COUNT) >= 2 * ONE)
		return;
	for (;;) {
		uint64_t i = indicator; /* load-linked: no version comes twice */
		if (BUG != 1 && ((node[0] ^ x) & VERSION))
			return;
		if (atomic_compare_exchange_strong(&indicator, &i, new_version()))
			return;
	}
}

static void node_depart(unsigned at);

static void node_arrive(unsigned at)
{
	unsigned undo = 0;
	bool done = false;

	if (!at) {
		root_arrive();
		return;
	}
	while (!done) {
		uint64_t x = node[at], old = x;
		if ((x & COUNT) >= ONE) {
			done = atomic_compare_exchange_strong(&node[at], &old, x + ONE);
		} else if (!(x & COUNT)) {
			const uint64_t y = new_version() | HALF;
			done = atomic_compare_exchange_strong(&node[at], &old, y);
			x = done ? y : x;
		}
		if ((x & COUNT) == HALF) {
			old = x;
			node_arrive((at - 1) / 2);
			if (!atomic_compare_exchange_strong(&node[at], &old, x + HALF))
				__VERIFIER_assume(undo++ < UNDO);
		}
	}
	for (; BUG != 2 && undo; undo--)
		node_depart((at - 1) / 2);
}

static void node_depart(unsigned at)
{
	uint64_t x;

	if (!at) {
		root_depart();
		return;
	}
	do
		x = node[at];
	while (!atomic_compare_exchange_strong(&node[at], &x, x - ONE));
	if ((x & COUNT) == ONE)
		node_depart((at - 1) / 2);
}

LP_METHOD(arrive)
{
#ifdef CALLS
	__VERIFIER_assume(calls++ < CALLS);
#endif
	node_arrive(mine = lp_choose(SIZE));
	return LP_VOID;
}

LP_METHOD(depart)
{
	node_depart(mine);
	mine = 0;
	return LP_VOID;
}

LP_METHOD(query)
{
	return (indicator & COUNT) != 0;
}
