/* The optimistic queue, two enqueues and two dequeues: links that are late are set by dequeues,
 * as the enqueuers would do next.
 * options: --no-symmetry
 * expect rc11,ra: verified, executions 22, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect rc11,ra -j 2: verified, executions 22, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect rc11 --no-helping: verified, executions 1918, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect sc,tso: verified, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect rc11 -- -DLATE: verified, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 */
#include <stdlib.h>

#include "../parallel.h"

void lp_outcome(const char *);

struct node {
	int value;
	struct node *older;
	_Atomic(struct node *) newer;
};
static _Atomic(struct node *) head, tail;
static atomic_int between;
static int got_first, got_second;

static struct node *new_node(int value)
{
	struct node *node = malloc(sizeof *node);

	node->value = value;
	node->older = NULL;
	atomic_init(&node->newer, NULL);
	return node;
}

static void enqueue(int value)
{
	struct node *node = new_node(value);

	do
		node->older = load(&tail, acquire);
	while (!cas(&tail, &(struct node *){ node->older }, node, release));
#ifdef LATE /* that is not its next step: no store is redundant */
	store(&between, 1, release);
#endif
	store(&node->older->newer, node, release);
}

static int dequeue(void)
{
	for (;;) {
		struct node *first = load(&head, acquire), *last = load(&tail, acquire);
		if (first == last)
			return 0;
		struct node *next = load(&first->newer, acquire);
		if (!next) {
			for (; last != first && load(&head, acquire) == first; last = last->older)
				store(&last->older->newer, last, release);
			continue;
		}
		const int value = next->value;
		if (cas(&head, &first, next, release))
			return value;
	}
}

static void enqueue_1(void)
{
	enqueue(1);
}

static void enqueue_2(void)
{
	enqueue(2);
}

static void dequeue_first(void)
{
	got_first = dequeue();
}

static void dequeue_second(void)
{
	got_second = dequeue();
}

int main(void)
{
	struct node *dummy = new_node(0);
	char text[3] = "";

	store(&head, dummy, seq_cst);
	store(&tail, dummy, seq_cst);
	parallel(enqueue_1, enqueue_2, dequeue_first, dequeue_second);
	text[0] = (char)('0' + got_first);
	text[1] = (char)('0' + got_second);
	lp_outcome(text);
	return 0;
}
