/* The release fence comes before the loop, so that who acquires by it knows the node, and nothing of
 * what was written to it since: `next` may be that of an attempt that failed.
 * expect sc,tso,ra: verified
 * expect rc11: violation assertion at BUG
 */
#include <stdlib.h>

#include "../programs/parallel.h"

struct node {
	_Atomic(struct node *) next;
};
static _Atomic(struct node *) top;
static struct node other, nowhere;
static struct node *seen = &nowhere;

static void push(void)
{
	struct node *node = malloc(sizeof *node), *first;

	store(&node->next, &nowhere, relaxed);
	atomic_thread_fence(release);
	do {
		first = load(&top, relaxed);
		store(&node->next, first, relaxed);
	} while (!cas(&top, &first, node, relaxed));
}

static void push_other(void)
{
	struct node *none = NULL;

	cas(&top, &none, &other, relaxed);
}

static void look(void)
{
	struct node *node = load(&top, relaxed);

	if (!node || node == &other)
		return;
	atomic_thread_fence(acquire);
	seen = load(&node->next, relaxed);
}

int main(void)
{
	parallel(push, push_other, look);
	struct node *node = load(&top, relaxed);
	struct node *next = load(&node->next, relaxed);
	assert(seen == &nowhere || seen == next); /* BUG */
	return 0;
}
