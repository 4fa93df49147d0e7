/* The node is known to another thread before it is pushed, which sees what an attempt that
 * fails has left there.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DBY_PLAIN_WRITE: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DBY_SPAWN: violation assertion at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

struct node {
	_Atomic(struct node *) next;
};
static _Atomic(struct node *) top, known;
static struct node other;
#ifdef BY_PLAIN_WRITE
static struct node *plain;
static atomic_int ready;
#endif

static void look(struct node *node)
{
	struct node *first = load(&node->next, relaxed);
	struct node *second = load(&node->next, relaxed);

	/* One attempt has left NULL there, the next one what the rival has pushed. */
	assert(first != NULL || second != &other); /* BUG */
}

static void *look_at(void *node)
{
	look(node);
	return NULL;
}

static void push(void)
{
	struct node *node = malloc(sizeof *node), *first;
#ifdef BY_SPAWN
	pthread_t child;
#endif

	atomic_init(&node->next, node);
#ifdef BY_SPAWN
	pthread_create(&child, NULL, look_at, node);
#elif defined BY_PLAIN_WRITE
	plain = node;
	store(&ready, 1, release);
#else
	store(&known, node, release);
#endif
	do {
		first = load(&top, acquire);
		store(&node->next, first, relaxed);
	} while (!cas(&top, &first, node, release));
#ifdef BY_SPAWN
	pthread_join(child, NULL);
#endif
}

static void rival(void)
{
	struct node *first = NULL;

	cas(&top, &first, &other, release);
}

static void spy(void)
{
#ifdef BY_PLAIN_WRITE
	if (load(&ready, acquire))
		look(plain);
#else
	struct node *node = load(&known, acquire);

	if (node)
		look_at(node);
#endif
}

int main(void)
{
	parallel(push, rival, spy);
	return 0;
}
