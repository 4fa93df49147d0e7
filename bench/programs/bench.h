/* bench.h -- for the programs of this folder: short names for atomics, and threads.
 *
 * Plain C11 with pthreads, so that other tools accept the programs unchanged.  Threads that
 * need no number of their own are started with the same argument, NULL; with SYMMETRIC they are
 * declared alike, each to the one before.  PEER_HINTS: it is the peer that declares this. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "../../tests/programs/parallel.h"

#if defined SYMMETRIC && defined PEER_HINTS
#include <genmc.h>
#elif defined SYMMETRIC
pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);
#endif

#define fetch_sub(p, value, order) atomic_fetch_sub_explicit(p, value, order)

static inline int number(void *arg)
{
	return (int)(intptr_t)arg;
}

/* Starts `count` threads that are alike. */
static inline void start(pthread_t *thread, int count, void *(*body)(void *))
{
	for (int i = 0; i < count; i++) {
#ifdef SYMMETRIC
		if (i > 0) {
			thread[i] = __VERIFIER_spawn_symmetric(body, NULL, thread[i - 1]);
			continue;
		}
#endif
		pthread_create(&thread[i], NULL, body, NULL);
	}
}

/* Starts `count` threads with numbers from `first` on. */
static inline void start_numbered(pthread_t *thread, int count, void *(*body)(void *), int first)
{
	for (int i = 0; i < count; i++)
		pthread_create(&thread[i], NULL, body, (void *)(intptr_t)(first + i));
}

static inline void join(pthread_t *thread, int count)
{
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
}

/* Runs `count` threads that are alike. */
static inline void run(int count, void *(*body)(void *))
{
	pthread_t thread[16];

	start(thread, count, body);
	join(thread, count);
}

/* Runs `count` threads with numbers from `first` on. */
static inline void run_numbered(int count, void *(*body)(void *), int first)
{
	pthread_t thread[16];

	start_numbered(thread, count, body, first);
	join(thread, count);
}

/* Runs two kinds of threads: those of one kind are alike. */
static inline void run_both(int count, void *(*body)(void *), int others, void *(*other)(void *))
{
	pthread_t thread[16];

	start(thread, count, body);
	start(thread + count, others, other);
	join(thread, count + others);
}

/* Runs two kinds of threads, of which the first are numbered from `first` on. */
static inline void run_mixed(int count, void *(*body)(void *), int first, int others,
			     void *(*other)(void *))
{
	pthread_t thread[16];

	start_numbered(thread, count, body, first);
	start(thread + count, others, other);
	join(thread, count + others);
}

#endif
