/* The second attempt overwrites only the first half of what the first one has left.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

union node {
	long whole;
	int half[2];
};
static atomic_int turn;

static void take(void)
{
	union node *node = malloc(sizeof *node);
	int now;

	node->whole = 0;
	do {
		now = load(&turn, relaxed);
		if (now == 0)
			node->whole = -1L;
		else
			node->half[0] = 7;
	} while (!cas(&turn, &now, now + 1, acq_rel));
	assert(node->half[0] == -1 || node->half[1] == 0); /* BUG */
}

int main(void)
{
	parallel(take, take);
	return 0;
}
