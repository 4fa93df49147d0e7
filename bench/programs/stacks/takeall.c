/* takeall.c -- N threads push, one takes everything there is by an exchange. */
#include "../bench.h"

#ifndef N
#define N 3
#endif

struct node {
	int value;
	struct node *next;
};

static struct node node[N];
static _Atomic(struct node *) top;

static void *push(void *arg)
{
	struct node *self = &node[number(arg)], *seen = load(&top, relaxed);

	self->value = 1;
	do
		self->next = seen;
	while (!cas(&top, &seen, self, release));
	return NULL;
}

static void *take(void *unused)
{
	(void)unused;
	for (struct node *at = exchange(&top, NULL, acquire); at != NULL; at = at->next)
		assert(at->value == 1);
	return NULL;
}

int main(void)
{
	run_mixed(N, push, 0, 1, take);
	return 0;
}
