/* An attempt that failed leaves a mark, in a node that no other thread knows yet, which the next
 * attempt overwrites only if it has read the same.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DATOMIC: violation assertion at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

struct node {
#ifdef ATOMIC
	atomic_char saw[3];
#else
	char saw[3];
#endif
};
static atomic_int turn;

static void take(void)
{
	struct node *node = calloc(1, sizeof *node);
	int now;

	do {
		now = load(&turn, relaxed);
#ifdef ATOMIC
		store(&node->saw[now], 1, relaxed);
#else
		node->saw[now] = 1;
#endif
	} while (!cas(&turn, &now, now + 1, acq_rel));
	assert(!node->saw[0] || !node->saw[1]); /* BUG */
}

int main(void)
{
	parallel(take, take);
	return 0;
}
