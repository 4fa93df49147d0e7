/* Treiber's stack: two pushes, two pops; nothing is lost or taken twice.
 * expect sc,rc11: verified
 */
#include <stdlib.h>

#include "../parallel.h"

struct node {
	int value;
	struct node *next;
};
static _Atomic(struct node *) top;
static atomic_int sum;

static void push(int value)
{
	struct node *n = malloc(sizeof *n);

	n->value = value;
	n->next = load(&top, relaxed);
	while (!cas(&top, &n->next, n, release))
		;
}

static void pop(void)
{
	struct node *n = load(&top, acquire);

	while (n && !atomic_compare_exchange_strong_explicit(&top, &n, n->next, acquire, acquire))
		;
	if (n)
		fetch_add(&sum, n->value, relaxed);
}

static void push_1(void)
{
	push(1);
}

static void push_2(void)
{
	push(2);
}

int main(void)
{
	parallel(push_1, push_2, pop);
	pop();
	pop();
	assert(load(&sum, relaxed) == 3 && !load(&top, relaxed));
	return 0;
}
