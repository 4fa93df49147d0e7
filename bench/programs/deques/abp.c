/* abp.c -- the deque of Arora, Blumofe and Plaxton (SPAA 1998), seq_cst: the index of the top has
 * a tag, which changes when the deque becomes empty. */
#include "deque.h"

#define TAG 16

static atomic_int bottom, age, cell[CELLS];

static void push(int value)
{
	int b = load(&bottom, seq_cst);

	store(&cell[b], value, seq_cst);
	store(&bottom, b + 1, seq_cst);
}

static int take(void)
{
	int b = load(&bottom, seq_cst), old, fresh, value;

	if (b == 0)
		return 0;
	store(&bottom, --b, seq_cst);
	value = load(&cell[b], seq_cst);
	old = load(&age, seq_cst);
	if (b > old % TAG)
		return value;
	store(&bottom, 0, seq_cst);
	fresh = (old / TAG + 1) * TAG;
	if (b == old % TAG && atomic_compare_exchange_strong(&age, &old, fresh))
		return value;
	store(&age, fresh, seq_cst);
	return 0;
}

static int steal(void)
{
	int old = load(&age, seq_cst), value;

	if (load(&bottom, seq_cst) <= old % TAG)
		return 0;
	value = load(&cell[old % TAG], seq_cst);
	return atomic_compare_exchange_strong(&age, &old, old + 1) ? value : 0;
}
