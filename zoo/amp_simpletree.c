/* amp_simpletree.c -- a priority queue as a tree of counters over bins, one for each priority.
 *
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 15.2.  An inner node counts what is in the bins below to its left; remove_min() goes left
 * where it can lower the count, else right.
 *
 * The book has it quiescently consistent, and it is not: an insert() that has been counted further
 * down but not yet at the root lets two remove_min() use up one count of the root, and miss what has
 * been there before all of them.
 *
 * Values are their own priorities, so that all values in a bin are the same, and it is a count.
 */
#include "parts/bincount.h"
#include "parts/upto.h"

#ifndef LEVELS
#define LEVELS 2
#endif

enum { LEAVES = 1 << LEVELS };

struct pqueue {
	bincount left[LEAVES]; /* inner nodes, the root being 1, the children of i 2i and 2i+1 */
	bincount bin[LEAVES];
};

static void pqueue_insert(struct pqueue *q, long priority)
{
	bincount_increment(&q->bin[priority]);
	for (long child = LEAVES + priority; child > 1; child /= 2)
		if (child % 2 == 0)
			bincount_increment(&q->left[child / 2]);
}

static bool pqueue_remove_min(struct pqueue *q, long *priority)
{
	long node = 1;

	while (node < LEAVES)
		node = 2 * node + (bincount_decrement(&q->left[node]) ? 0 : 1);
	*priority = node - LEAVES;
	return bincount_decrement(&q->bin[*priority]);
}

#include <linchpin.h>

static struct pqueue q;

LP_SPEC("priority_queue")
#if LEVELS == 1
LP_ARGS(UPTO(2))
#elif LEVELS == 2
LP_ARGS(UPTO(4))
#elif LEVELS == 3
LP_ARGS(UPTO(8))
#elif LEVELS == 4
LP_ARGS(UPTO(16))
#else
#error "LEVELS is 1 to 4"
#endif
LP_METHOD(insert, p) { pqueue_insert(&q, p); return LP_VOID; }
LP_METHOD(remove_min) { long p; return pqueue_remove_min(&q, &p) ? p : LP_EMPTY; }
