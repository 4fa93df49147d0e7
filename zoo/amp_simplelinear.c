/* amp_simplelinear.c -- a priority queue as a row of bins, one for each priority.
 *
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 15.2.  Quiescently consistent, and not linearizable by design: what is put behind the
 * back of a remove_min() is not seen by it.
 *
 * Values are their own priorities, so that all values in a bin are the same, and it is a count.
 */
#include "parts/bincount.h"
#include "parts/upto.h"

#ifndef RANGE
#define RANGE 4
#endif

struct pqueue {
	bincount bin[RANGE];
};

static void pqueue_insert(struct pqueue *q, long priority)
{
	bincount_increment(&q->bin[priority]);
}

static bool pqueue_remove_min(struct pqueue *q, long *priority)
{
	for (*priority = 0; *priority < RANGE; ++*priority)
		if (bincount_decrement(&q->bin[*priority]))
			return true;
	return false;
}

#include <linchpin.h>

static struct pqueue q;

LP_SPEC("priority_queue")
LP_ARGS(UPTO(RANGE))
LP_METHOD(insert, p) { pqueue_insert(&q, p); return LP_VOID; }
LP_METHOD(remove_min) { long p; return pqueue_remove_min(&q, &p) ? p : LP_EMPTY; }
