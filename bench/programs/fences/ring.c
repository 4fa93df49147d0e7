/* ring.c -- store buffering in a ring of N threads, by seq_cst fences: one sees its neighbour. */
#include "../bench.h"

#ifndef N
#define N 3
#endif

static atomic_int flag[N];
static int seen[N];

static void *worker(void *arg)
{
	int me = number(arg);

	store(&flag[me], 1, relaxed);
	fence(seq_cst);
	seen[me] = load(&flag[(me + 1) % N], relaxed);
	return NULL;
}

int main(void)
{
	int sum = 0;

	run_numbered(N, worker, 0);
	for (int i = 0; i < N; i++)
		sum += seen[i];
	assert(sum > 0);
	return 0;
}
