/* parallel.h -- for the programs of this folder: run functions in parallel.
 *
 *     parallel(writer, reader);     starts both, and waits for both
 */
#ifndef TESTS_PARALLEL_H
#define TESTS_PARALLEL_H

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static inline void *parallel_start(void *body)
{
	((void (*)(void))body)();
	return NULL;
}

static inline void parallel_list(void (*const *body)(void))
{
	pthread_t thread[16];
	int count = 0;

	for (; body[count]; count++)
		pthread_create(&thread[count], NULL, parallel_start, (void *)body[count]);
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
}

#define parallel(...) parallel_list((void (*const[])(void)){ __VA_ARGS__, NULL })

/* Short names for accesses with an order: load(&x, acquire), store(&x, 1, release). */
#ifndef __cplusplus
#include <stdatomic.h>
#define relaxed memory_order_relaxed
#define acquire memory_order_acquire
#define release memory_order_release
#define acq_rel memory_order_acq_rel
#define seq_cst memory_order_seq_cst
#define load(p, order) atomic_load_explicit(p, order)
#define store(p, value, order) atomic_store_explicit(p, value, order)
#define fetch_add(p, value, order) atomic_fetch_add_explicit(p, value, order)
#define exchange(p, value, order) atomic_exchange_explicit(p, value, order)
#define cas(p, expected, value, order) \
	atomic_compare_exchange_strong_explicit(p, expected, value, order, relaxed)
#define fence(order) atomic_thread_fence(order)
#endif

#endif
