/* A stack whose top is a pointer and a tag: changed by compare-exchanges of 16 bytes, read by two loads
 * of 8, of which the exchange finds out if they did not belong together.
 * expect sc,tso,ra,rc11: verified
 */
#include "../parallel.h"

#include <stdint.h>

struct node {
	struct node *next;
	int value;
};

static union {
	_Atomic unsigned __int128 both;
	struct {
		_Atomic uintptr_t node;
		_Atomic uint64_t tag;
	};
} top;
static struct node a = { .value = 1 }, b = { .value = 2 };

static _Bool swap(uintptr_t node, uint64_t tag, struct node *to)
{
#ifdef BROKEN
	(void)tag;
	fetch_add(&top.tag, 1, acq_rel);
	store(&top.node, (uintptr_t)to, release);
	return node == load(&top.node, acquire) || load(&top.both, acquire);
#else
	unsigned __int128 old = (unsigned __int128)tag << 64 | node;

	return cas(&top.both, &old, (unsigned __int128)(tag + 1) << 64 | (uintptr_t)to, acq_rel);
#endif
}

static void push(struct node *n)
{
	uint64_t tag;

	do {
		tag = load(&top.tag, acquire);
		n->next = (struct node *)load(&top.node, acquire);
	} while (!swap((uintptr_t)n->next, tag, n));
}

static void first(void)
{
	push(&a);
}

static void second(void)
{
	push(&b);
}

int main(void)
{
	int sum = 0;

	parallel(first, second);
	for (struct node *n = (struct node *)load(&top.node, relaxed); n; n = n->next)
		sum += n->value;
	assert(sum == 3 && load(&top.tag, relaxed) == 2);
	return 0;
}
