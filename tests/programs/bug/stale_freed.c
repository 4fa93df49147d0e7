/* A pop that looks at a node which another pop has freed: its attempt can only fail, but has looked.
 * expect sc,tso,ra,rc11: violation use after free at BUG
 */
#include "../parallel.h"

#include <stdlib.h>

struct node {
	_Atomic(struct node *) next;
};

static _Atomic(struct node *) top;

static void pop(void)
{
	for (;;) {
		struct node *first = load(&top, acquire);

		if (!first)
			return;
		struct node *next = load(&first->next, relaxed); /* BUG */
		if (atomic_compare_exchange_strong(&top, &first, next)) {
			free(first);
			return;
		}
	}
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		struct node *n = malloc(sizeof *n);

		atomic_init(&n->next, load(&top, relaxed));
		store(&top, n, relaxed);
	}
	parallel(pop, pop);
	return 0;
}
