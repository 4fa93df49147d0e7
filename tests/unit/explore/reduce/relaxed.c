/* Blocks that are published too early and are read, and written to, by all: a thread's own memory does not stay its
 * own, and only the zeroes order the accesses. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);

struct block {
	atomic_int a, b;
};

static _Atomic(struct block *) shared;

static void *work(void *number)
{
	struct block *mine = calloc(1, sizeof *mine), *theirs;

	atomic_store_explicit(&mine->a, *(int *)number, memory_order_relaxed);
	atomic_fetch_add_explicit(&mine->a, 0, memory_order_relaxed);
	theirs = atomic_exchange_explicit(&shared, mine, memory_order_acq_rel);
	if (theirs)
		atomic_store_explicit(&theirs->b, *(int *)number, memory_order_relaxed);
	atomic_store_explicit(&mine->b, 1, memory_order_relaxed);
	return NULL;
}

static void *look(void *unused)
{
	struct block *block = atomic_load_explicit(&shared, memory_order_acquire);

	if (block && atomic_load_explicit(&block->a, memory_order_relaxed))
		atomic_load_explicit(&block->b, memory_order_relaxed);
	return unused;
}

int main(void)
{
	static int number[] = { 7, 8, 9 };
	pthread_t a, b, c, d;

	pthread_create(&a, NULL, work, &number[0]);
	b = __VERIFIER_spawn_symmetric(work, &number[1], a);
	c = __VERIFIER_spawn_symmetric(work, &number[2], b);
	pthread_create(&d, NULL, look, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	pthread_join(d, NULL);
	return 0;
}
