/* The queue of Michael and Scott, two enqueues and two dequeues: who finds the tail lagging
 * behind moves it, as the enqueuer would do next.
 * options: --no-symmetry
 * expect rc11: verified, executions 22, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect sc,tso,ra,rc11: verified, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect sc,tso,ra,rc11 --no-helping: verified, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect sc,tso,ra,rc11 -- -DORDER=memory_order_seq_cst: verified, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect sc,tso,ra,rc11 -- -O2: verified, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect rc11 -- -DORDER=memory_order_seq_cst: verified, executions 22, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect rc11 -- -DNOINLINE: verified, executions 22, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 * expect rc11 -- -O0: verified, outcomes 00 | 01 | 02 | 10 | 12 | 20 | 21
 */
#include <stdlib.h>

#include "../parallel.h"

void lp_outcome(const char *);

struct node {
	int value;
	_Atomic(struct node *) next;
};
static _Atomic(struct node *) head, tail;
static int got_first, got_second;

#ifdef ORDER
#define READ(p) load(p, seq_cst)
#define SWING(p, from, to) atomic_compare_exchange_strong(p, &(from), to)
#elif defined NOINLINE
/* Whether its caller looks at the answer, the caller knows.  What the next call returns is
 * another one. */
static __attribute__((noinline)) int swing(_Atomic(struct node *) *p, struct node *from,
					   struct node *to)
{
	return cas(p, &from, to, release);
}
static __attribute__((noinline)) struct node *read_node(_Atomic(struct node *) *p)
{
	return load(p, acquire);
}
#define READ(p) read_node(p)
#define SWING(p, from, to) swing(p, from, to)
#else
#define READ(p) load(p, acquire)
#define SWING(p, from, to) cas(p, &(from), to, release)
#endif

static void enqueue(int value)
{
	struct node *node = malloc(sizeof *node), *last, *next;

	node->value = value;
	atomic_init(&node->next, NULL);
	for (;;) {
		last = READ(&tail);
		next = READ(&last->next);
		if (last != READ(&tail))
			continue;
		if (next)
			SWING(&tail, last, next);
		else if (SWING(&last->next, next, node))
			break;
	}
	SWING(&tail, last, node);
}

static int dequeue(void)
{
	struct node *first, *last, *next;

	for (;;) {
		first = READ(&head);
		last = READ(&tail);
		next = READ(&first->next);
		if (first != READ(&head))
			continue;
		if (first == last) {
			if (!next)
				return 0;
			SWING(&tail, last, next);
		} else {
			const int value = next->value;

			if (SWING(&head, first, next))
				return value;
		}
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
	struct node *dummy = malloc(sizeof *dummy);
	char text[3] = "";

	dummy->value = 0;
	store(&dummy->next, NULL, seq_cst);
	store(&head, dummy, seq_cst);
	store(&tail, dummy, seq_cst);
	parallel(enqueue_1, enqueue_2, dequeue_first, dequeue_second);
	text[0] = (char)('0' + got_first);
	text[1] = (char)('0' + got_second);
	lp_outcome(text);
	return 0;
}
