/* Three pushes onto Treiber's stack: a failed attempt leaves a trace only in the node, which
 * the next one overwrites.  Without such attempts an execution is an order of the pushes.
 * expect sc,tso,ra,rc11: verified, executions 6, outcomes 123 | 132 | 213 | 231 | 312 | 321
 * expect sc,tso,ra,rc11 -- -DATOMIC_NEXT: verified, executions 6, outcomes 123 | 132 | 213 | 231 | 312 | 321
 * expect sc,tso,ra,rc11 -- -O2: verified, executions 6, outcomes 123 | 132 | 213 | 231 | 312 | 321
 * expect sc,rc11 --no-spin: verified, outcomes 123 | 132 | 213 | 231 | 312 | 321
 * expect sc,rc11 --no-spin -- -DATOMIC_NEXT: verified, outcomes 123 | 132 | 213 | 231 | 312 | 321
 */
#include <stdlib.h>

#include "../parallel.h"

void lp_outcome(const char *);

struct node {
	char value;
#ifdef ATOMIC_NEXT
	_Atomic(struct node *) next;
#define SET(node, n) store(&(node)->next, n, relaxed)
#define GET(node) load(&(node)->next, relaxed)
#else
	struct node *next;
#define SET(node, n) ((node)->next = (n))
#define GET(node) ((node)->next)
#endif
};
static _Atomic(struct node *) top;

static void push(char value)
{
	struct node *node = malloc(sizeof *node), *first;

	node->value = value;
	do {
		first = load(&top, acquire);
		SET(node, first);
	} while (!cas(&top, &first, node, release));
}

static void push_1(void)
{
	push('1');
}

static void push_2(void)
{
	push('2');
}

static void push_3(void)
{
	push('3');
}

int main(void)
{
	char order[4] = "";
	int count = 0;

	parallel(push_1, push_2, push_3);
	for (struct node *node = load(&top, acquire); node; node = GET(node))
		order[count++] = node->value;
	lp_outcome(order);
	return 0;
}
