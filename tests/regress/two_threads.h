/* two_threads.h -- for the programs of this folder: two threads, started in either order.
 *
 *     start_two(&t, writer, NULL, &u, reader, &data);
 *
 * starts t first, or with -DREV u: reductions must not depend on which thread is performed first.
 */
#ifndef TESTS_TWO_THREADS_H
#define TESTS_TWO_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, value) atomic_store_explicit(&(x), value, memory_order_relaxed)

static inline void start_two(pthread_t *t, void *(*first)(void *), void *its, pthread_t *u, void *(*second)(void *),
			     void *theirs)
{
#ifdef REV
	pthread_create(u, NULL, second, theirs);
	pthread_create(t, NULL, first, its);
#else
	pthread_create(t, NULL, first, its);
	pthread_create(u, NULL, second, theirs);
#endif
}

/* What main() is where it waits for neither of them. */
static inline int leave_two(void *(*first)(void *), void *(*second)(void *))
{
	pthread_t t, u;

	start_two(&t, first, NULL, &u, second, NULL);
	pthread_exit(NULL);
}

#endif
