/* Three pushes onto Treiber's stack, by weak compare-exchanges, of nodes that are taken out of an
 * array, or counted, before that.  What a failed attempt writes to the node is overwritten, although the
 * node may be known to others.  An execution is an order of arrival at the counter, and one of the pushes.
 * expect sc,tso,ra,rc11 -- -DPOOL: verified, executions 36, outcomes 123 | 132 | 213 | 231 | 312 | 321
 * expect sc,tso,ra,rc11 -- -DPOOL -DATOMIC_NEXT: verified, executions 36, outcomes 123 | 132 | 213 | 231 | 312 | 321
 * expect sc,tso,ra,rc11 -- -DCOUNT: verified, executions 36, outcomes 123 | 132 | 213 | 231 | 312 | 321
 * expect sc,tso,ra,rc11 -- -DCOUNT -DATOMIC_NEXT: verified, executions 36, outcomes 123 | 132 | 213 | 231 | 312 | 321
 * expect sc,rc11 -- -DCOUNT -DSTRONG: verified, executions 36, outcomes 123 | 132 | 213 | 231 | 312 | 321
 */
#include <stdlib.h>

#include "../parallel.h"

void lp_outcome(const char *);

#ifdef STRONG
#define CAS atomic_compare_exchange_strong_explicit
#else
#define CAS atomic_compare_exchange_weak_explicit
#endif

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
static atomic_int count;

#ifdef POOL
static struct node *new_node(void)
{
	static struct node pool[3];

	return &pool[atomic_fetch_add_explicit(&count, 1, relaxed)];
}
#else
static struct node *new_node(void)
{
	struct node *node = malloc(sizeof *node);

	atomic_fetch_add_explicit(&count, 1, relaxed);
	return node;
}
#endif

static void push(char value)
{
	struct node *node = new_node(), *first;

	node->value = value;
	do {
		first = load(&top, relaxed);
		SET(node, first);
	} while (!CAS(&top, &first, node, release, relaxed));
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
	int number = 0;

	parallel(push_1, push_2, push_3);
	for (struct node *node = load(&top, acquire); node; node = GET(node))
		order[number++] = node->value;
	lp_outcome(order);
	return 0;
}
