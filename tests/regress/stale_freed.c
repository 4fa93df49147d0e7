/* A thread that polls x and reads a node while it is 1 does so a second time after the node was freed, and it knows that. It can only read 1 then if that is
 * out of date. In the same live state it has done so before, when the node was alive.
 * expect rc11: violation use after free at BUG
 * expect sc,tso,ra: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_long *node;
static atomic_int x, reached, polled, freed, spares;

static int load(atomic_int *place, memory_order order)
{
	return atomic_load_explicit(place, order);
}

static void store(atomic_int *place, int value, memory_order order)
{
	atomic_store_explicit(place, value, order);
}

static void *poll(void *unused)
{
	atomic_long *mine = node;
	int seen;

	atomic_load_explicit(mine, memory_order_relaxed);
	for (;;) {
		do {
			seen = load(&x, memory_order_relaxed);
		} while (seen == 1 && atomic_load_explicit(mine, memory_order_relaxed) != 77); /* BUG */
		if (seen == 2) {
			store(&polled, 1, memory_order_release);
			break;
		}
		if (atomic_exchange_explicit(&polled, 1, memory_order_release))
			break;
		while (!load(&freed, memory_order_acquire)) {
		}
	}
	return unused;
}

static void *count(void *unused)
{
	store(&x, 1, memory_order_relaxed);
	store(&x, 2, memory_order_relaxed);
	store(&reached, 1, memory_order_relaxed);
	return unused;
}

/* The executions without a free come first. */
static void *reclaim(void *unused)
{
	const int spared = load(&spares, memory_order_relaxed);

	while (!load(&reached, memory_order_relaxed)) {
	}
	while (!load(&polled, memory_order_acquire)) {
	}
	if (!spared)
		free(node);
	store(&freed, 1, memory_order_release);
	return unused;
}

static void *spare(void *unused)
{
	store(&spares, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	void *(*const code[])(void *) = { spare, poll, count, reclaim };
	pthread_t thread[4];

	node = malloc(sizeof *node);
	atomic_init(node, 3);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, code[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
