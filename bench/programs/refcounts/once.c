/* once.c -- N threads make an object on first use: one makes it, the others wait. */
#include "../bench.h"

#ifndef N
#define N 3
#endif

enum { NONE, BEING_MADE, MADE };

static atomic_int state;
static int value;

static void *user(void *unused)
{
	int seen = load(&state, acquire);

	(void)unused;
	if (seen == NONE && cas(&state, &seen, BEING_MADE, relaxed)) {
		value = 1;
		store(&state, MADE, release);
	}
	while (load(&state, acquire) != MADE)
		;
	assert(value == 1);
	return NULL;
}

int main(void)
{
	run(N, user);
	return 0;
}
