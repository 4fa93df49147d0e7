/* The queue lock of Mellor-Crummey and Scott: a thread waits on a variable of its own
 * stack, whose address it has told another. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);

#ifndef THREADS
#define THREADS 3
#endif

struct waiter {
	_Atomic(struct waiter *) next;
	atomic_int held;
};

static _Atomic(struct waiter *) last;
static int counter;

static void *work(void *unused)
{
	struct waiter me;
	struct waiter *next;

	atomic_store_explicit(&me.next, NULL, memory_order_relaxed);
	atomic_store_explicit(&me.held, 1, memory_order_relaxed);
	struct waiter *before = atomic_exchange_explicit(&last, &me, memory_order_acq_rel);
	if (before) {
		atomic_store_explicit(&before->next, &me, memory_order_release);
		while (atomic_load_explicit(&me.held, memory_order_acquire))
			;
	}
	counter++;
	next = atomic_load_explicit(&me.next, memory_order_acquire);
	if (!next) {
		struct waiter *self = &me;
		if (atomic_compare_exchange_strong_explicit(&last, &self, NULL, memory_order_release,
							    memory_order_relaxed))
			return unused;
		while (!(next = atomic_load_explicit(&me.next, memory_order_acquire)))
			;
	}
	atomic_store_explicit(&next->held, 0, memory_order_release);
	return unused;
}

int main(void)
{
	pthread_t thread[THREADS];

	pthread_create(&thread[0], NULL, work, NULL);
	for (int i = 1; i < THREADS; i++)
		thread[i] = __VERIFIER_spawn_symmetric(work, NULL, thread[i - 1]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	assert(counter == THREADS);
	return 0;
}
