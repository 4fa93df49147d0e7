/* walk.c -- two threads walk down a list of N nodes by seq_cst loads, and count their arrival. */
#include "../bench.h"

#ifndef N
#define N 50
#endif

static atomic_int link[N + 1], arrived;

static void *worker(void *unused)
{
	int at = 0;

	(void)unused;
	for (int next; (next = load(&link[at], seq_cst)) != 0; at = next)
		;
	assert(at == N);
	fetch_add(&arrived, 1, relaxed);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		store(&link[i], i + 1, seq_cst);
	run(2, worker);
	assert(load(&arrived, relaxed) == 2);
	return 0;
}
