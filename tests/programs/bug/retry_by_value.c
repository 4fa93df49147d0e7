/* What an attempt has left in the node is read by handing the node over by value, of which
 * no hook tells.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

struct node {
	struct node *next;
	long note[4];
};
static _Atomic(struct node *) top;

static __attribute__((noinline)) long note_of(struct node node)
{
	return node.note[0];
}

static void push(void)
{
	struct node *node = calloc(1, sizeof *node), *first;
	long before;

	do {
		first = load(&top, acquire);
		before = note_of(*node);
		node->note[0] = first ? 2 : 1;
		node->next = first;
	} while (!cas(&top, &first, node, release));
	assert(before != 1); /* BUG */
}

int main(void)
{
	parallel(push, push);
	return 0;
}
