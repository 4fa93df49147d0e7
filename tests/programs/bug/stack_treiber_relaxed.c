/* Treiber's stack whose push does not release: the pop reads what is not there yet.
 * expect rc11: violation race|uninitialised at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

struct node {
	int value;
	struct node *next;
};
static _Atomic(struct node *) top;

static void push(void)
{
	struct node *n = malloc(sizeof *n);

	n->value = 1;                   /* BUG */
	n->next = load(&top, relaxed);  /* BUG */
	while (!cas(&top, &n->next, n, relaxed))
		;
}

static void pop(void)
{
	struct node *n = load(&top, acquire);

	while (n && !cas(&top, &n, n->next, acquire)) /* BUG */
		;
	if (n)
		assert(n->value == 1); /* BUG */
}

int main(void)
{
	parallel(push, pop);
	return 0;
}
