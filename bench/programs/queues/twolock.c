/* twolock.c -- the queue with two locks of Michael and Scott (PODC 1996): N calls each. */
#include <stdlib.h>

#include "../bench.h"

#ifndef N
#define N 2
#endif

struct node {
	int value;
	_Atomic(struct node *) next;
};

static struct node *head, *tail;
static pthread_mutex_t at_head = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t at_tail = PTHREAD_MUTEX_INITIALIZER;

static struct node *make(int value)
{
	struct node *node = malloc(sizeof *node);

	node->value = value;
	atomic_init(&node->next, NULL);
	return node;
}

static void *enqueue(void *unused)
{
	struct node *node = make(1);

	(void)unused;
	pthread_mutex_lock(&at_tail);
	store(&tail->next, node, release);
	tail = node;
	pthread_mutex_unlock(&at_tail);
	return NULL;
}

static void *dequeue(void *unused)
{
	struct node *first, *next;

	(void)unused;
	pthread_mutex_lock(&at_head);
	first = head;
	next = load(&first->next, acquire);
	if (next != NULL) {
		assert(next->value == 1);
		head = next;
	}
	pthread_mutex_unlock(&at_head);
	if (next != NULL)
		free(first);
	return NULL;
}

int main(void)
{
	head = tail = make(0);
	run_both(N, enqueue, N, dequeue);
	return 0;
}
