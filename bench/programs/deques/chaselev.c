/* chaselev.c -- the deque of Chase and Lev (SPAA 2005), orders after Le and others (PPoPP 2013). */
#include "deque.h"

static atomic_int top, bottom, cell[CELLS];

static void push(int value)
{
	int b = load(&bottom, relaxed);

	store(&cell[b % CELLS], value, relaxed);
	store(&bottom, b + 1, release);
}

static int take(void)
{
	int b = load(&bottom, relaxed) - 1, t, value;

	store(&bottom, b, relaxed);
	fence(seq_cst);
	t = load(&top, relaxed);
	if (t > b) {
		store(&bottom, b + 1, relaxed);
		return 0;
	}
	value = load(&cell[b % CELLS], relaxed);
	if (t == b) {
		if (!cas(&top, &t, t + 1, seq_cst))
			value = 0;
		store(&bottom, b + 1, relaxed);
	}
	return value;
}

static int steal(void)
{
	int t = load(&top, acquire), b, value;

	fence(seq_cst);
	b = load(&bottom, acquire);
	if (t >= b)
		return 0;
	value = load(&cell[t % CELLS], relaxed);
	return cas(&top, &t, t + 1, seq_cst) ? value : 0;
}
