/* alone.c -- one thread makes N seq_cst increments while another looks once. */
#include "../bench.h"

#ifndef N
#define N 100
#endif

static atomic_int count, done;

static void *worker(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++)
		fetch_add(&count, 1, seq_cst);
	store(&done, 1, release);
	return NULL;
}

static void *reader(void *unused)
{
	(void)unused;
	if (load(&done, acquire))
		assert(load(&count, relaxed) == N);
	return NULL;
}

int main(void)
{
	run_both(1, worker, 1, reader);
	return 0;
}
