/* ring_bug.c -- a ring buffer for one producer and one consumer, and its bug:
 * `tail` is published with a relaxed store, so that the consumer may see the new
 * tail before the item.  x86 keeps stores in order and hides it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
static atomic_int item[SIZE];
static atomic_uint head, tail;

static int put(int value)
{
	unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
	if (t - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
		return 0; /* full */
	atomic_store_explicit(&item[t % SIZE], value, memory_order_relaxed);
	atomic_store_explicit(&tail, t + 1, memory_order_relaxed); /* release! */
	return 1;
}

static int take(int *value)
{
	unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
	if (h == atomic_load_explicit(&tail, memory_order_acquire))
		return 0; /* empty */
	*value = atomic_load_explicit(&item[h % SIZE], memory_order_relaxed);
	atomic_store_explicit(&head, h + 1, memory_order_release);
	return 1;
}

static void *producer(void *arg)
{
	put(7);
	return arg;
}

int main(void)
{
	pthread_t thread;
	int value;

	pthread_create(&thread, NULL, producer, NULL);
	if (take(&value))
		assert(value == 7);
	pthread_join(thread, NULL);
}
