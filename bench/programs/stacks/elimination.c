/* elimination.c -- a stack whose calls meet in one slot when the top is contended: N push, N pop.
 *
 * A push that fails offers its node in the slot, and withdraws it unless a pop has taken it.
 * A pop that fails takes an offer if there is one.  Nodes are numbered from 1 on. */
#include "../bench.h"

#ifndef N
#define N 2
#endif
#define TAKEN -1 /* in the slot: the offer was accepted */

static int value[N + 1];
static atomic_int next_of[N + 1], top, slot;

static bool offer(int self)
{
	int none = 0, mine = self;

	if (!cas(&slot, &none, self, release))
		return false;
	if (cas(&slot, &mine, 0, relaxed))
		return false;
	store(&slot, 0, relaxed);
	return true;
}

static void *push(void *arg)
{
	int self = number(arg);

	value[self] = 1;
	for (;;) {
		int seen = load(&top, relaxed);

		store(&next_of[self], seen, relaxed);
		if (cas(&top, &seen, self, release) || offer(self))
			return NULL;
	}
}

/* Takes the offer in the slot; returns 0 if there is none. */
static int meet(void)
{
	int offered = load(&slot, acquire);

	return offered > 0 && cas(&slot, &offered, TAKEN, acquire) ? offered : 0;
}

static void *pop(void *unused)
{
	(void)unused;
	for (;;) {
		int got = load(&top, acquire), seen = got;

		if (seen == 0)
			return NULL;
		if (!cas(&top, &seen, load(&next_of[seen], relaxed), acquire))
			got = meet();
		if (got != 0) {
			assert(value[got] == 1);
			return NULL;
		}
	}
}

int main(void)
{
	run_mixed(N, push, 1, N, pop);
	return 0;
}
