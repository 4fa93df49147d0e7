/* The number of attempts is kept in a node that no other thread knows yet: the attempts are not
 * alike, and none may be left out.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

struct node {
	int tries;
	struct node *next;
};
static _Atomic(struct node *) top;

static void push(void)
{
	struct node *node = malloc(sizeof *node), *first;

	node->tries = 0;
	do {
		first = load(&top, acquire);
		node->next = first;
		node->tries++;
	} while (!cas(&top, &first, node, release));
	assert(node->tries < 2); /* BUG */
}

int main(void)
{
	parallel(push, push);
	return 0;
}
