/* append.c -- N threads append a node each at the end of a list, by compare-and-swap. */
#include "../bench.h"

#ifndef N
#define N 3
#endif

static atomic_int link[N + 1]; /* 0 is the head, and stands for no node in a link */

static void *append(void *arg)
{
	int at = 0, self = number(arg);

	for (;;) {
		int next = 0;

		if (cas(&link[at], &next, self, acq_rel))
			return NULL;
		at = next;
	}
}

int main(void)
{
	int length = 0;

	run_numbered(N, append, 1);
	for (int at = load(&link[0], relaxed); at != 0; at = load(&link[at], relaxed))
		length++;
	assert(length == N);
	return 0;
}
