/* ring.c -- a ring buffer for one producer and one consumer, done right: `tail` is
 * published with a release store (compare ring_bug.c).
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
	atomic_store_explicit(&tail, t + 1, memory_order_release);
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
	for (int i = 1; i <= 3; i++)
		put(i);
	return arg;
}

int main(void)
{
	pthread_t thread;
	int value, last = 0;

	pthread_create(&thread, NULL, producer, NULL);
	for (int i = 0; i < 3; i++) {
		if (take(&value)) {
			assert(value > last); /* in order, and nothing twice */
			last = value;
		}
	}
	pthread_join(thread, NULL);
}
