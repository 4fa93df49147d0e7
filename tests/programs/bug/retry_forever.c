/* A retry that can never succeed, and writes to a node that no other thread knows.
 * expect sc,tso,ra,rc11: violation liveness
 * expect sc,tso,ra,rc11 -- -DATOMIC_NEXT: violation liveness
 */
#include <stdlib.h>

#include "../parallel.h"

struct node {
#ifdef ATOMIC_NEXT
	_Atomic(struct node *) next;
#define SET(node, n) store(&(node)->next, n, relaxed)
#else
	struct node *next;
#define SET(node, n) ((node)->next = (n))
#endif
};
static _Atomic(struct node *) top;
static atomic_int closed = 1;

static void push(void)
{
	struct node *node = malloc(sizeof *node), *first;
	int open;

	do {
		first = load(&top, acquire);
		SET(node, first);
		open = 0;
	} while (!cas(&closed, &open, 1, acq_rel));
	store(&top, node, release);
}

static void other(void)
{
	static struct node node;

	store(&top, &node, release);
}

int main(void)
{
	parallel(push, other);
	return 0;
}
