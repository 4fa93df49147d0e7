/* options: run
 * What acquires and releases, and what does not: messages, fences, release sequences, compare-exchanges, loops. */
#include <pthread.h>
#include <stdatomic.h>

#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release

static atomic_int flag, idle, fenced, word, own, head, once, data;

static void *writer(void *unused)
{
	atomic_store_explicit(&data, 1, RELAXED);
	atomic_store_explicit(&flag, 1, RELEASE);      /* read by an acquire: nothing to say */
	atomic_store_explicit(&idle, 1, RELEASE);      /* @op released */
	atomic_thread_fence(RELEASE);                  /* goes with the next store */
	atomic_store_explicit(&fenced, 1, RELAXED);
	atomic_store_explicit(&word, 1, RELEASE);      /* heads a release sequence */
	return unused;
}

static void *adder(void *unused)
{
	atomic_fetch_add_explicit(&word, 2, RELAXED);  /* continues it */
	return unused;
}

static void *reader(void *unused)
{
	int expected = 0;
	(void)atomic_load_explicit(&flag, ACQUIRE);
	(void)atomic_load_explicit(&fenced, RELAXED);
	atomic_thread_fence(ACQUIRE);
	(void)atomic_load_explicit(&idle, RELAXED);    /* behind the fence: nothing is acquired */
	(void)atomic_load_explicit(&word, ACQUIRE);
	atomic_store_explicit(&own, 1, RELEASE);       /* @op released */
	(void)atomic_load_explicit(&own, ACQUIRE);     /* @op acquired */
	while (!atomic_compare_exchange_strong_explicit(&once, &expected, 1, RELAXED, RELAXED))  /* @op failed @op repeated */
		expected = 0;
	expected = 5;
	atomic_compare_exchange_strong_explicit(&head, &expected, 1, RELAXED, RELAXED);          /* @op succeeded */
	return unused;
}

int main(void)
{
	pthread_t t[3];
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, adder, NULL);
	pthread_create(&t[2], NULL, reader, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
