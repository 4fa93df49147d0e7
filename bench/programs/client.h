/* client.h -- the most parallel client of an object: one thread a call.
 *
 * client_insert() and client_remove() are the object's; every value is inserted
 * once.  Switches:
 *
 *   SYMMETRIC    the removers are declared alike, each to the one before
 *   OPAQUE       so are the inserters: the object does not look at values
 *   PEER_HINTS   for the peer only: its marks for helping compare-and-swaps, and
 *                values made from thread numbers, so that its own detection of
 *                symmetric threads sees inserters with the same argument
 *
 * No switch changes what the object does. */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include <pthread.h>
#include <stddef.h>

#ifdef PEER_HINTS
#include <genmc.h>
#define FINAL(cas) __VERIFIER_final_CAS(cas)
#define HELPING(cas) __VERIFIER_helping_CAS(cas;)
#define HELPED(cas) __VERIFIER_helped_CAS(cas;)
#else
#define FINAL(cas) (cas)
#define HELPING(cas) ((void)(cas))
#define HELPED(cas) ((void)(cas))
#if defined SYMMETRIC || defined OPAQUE
pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);
#endif
#endif

static void client_setup(void);
static void client_insert(int value);
static void client_remove(void);

static void *inserter(void *arg)
{
#ifdef PEER_HINTS
	(void)arg;
	client_insert(100 + (int)pthread_self());
#else
	client_insert(*(int *)arg);
#endif
	return NULL;
}

static void *remover(void *unused)
{
	(void)unused;
	client_remove();
	return NULL;
}

/* Starts one thread; `twin` is the one before it of its kind, or NULL. */
static void client_spawn(pthread_t *thread, void *(*body)(void *), void *arg,
			 const pthread_t *twin)
{
#if defined SYMMETRIC || defined OPAQUE
	if (twin != NULL) {
		*thread = __VERIFIER_spawn_symmetric(body, arg, *twin);
		return;
	}
#endif
	(void)twin;
	pthread_create(thread, NULL, body, arg);
}

/* Runs `inserts` inserters and `removes` removers; at most 16 in all. */
static void client_run(int inserts, int removes)
{
#ifndef PEER_HINTS
	static int value[16];
#endif
	pthread_t thread[16];
	int count = 0;

	client_setup();
	for (int i = 0; i < inserts; i++, count++) {
		const pthread_t *twin = NULL;

#ifdef OPAQUE
		twin = i > 0 ? &thread[count - 1] : NULL;
#endif
#ifdef PEER_HINTS
		client_spawn(&thread[count], inserter, NULL, twin);
#else
		value[count] = 100 + count;
		client_spawn(&thread[count], inserter, &value[count], twin);
#endif
	}
	for (int i = 0; i < removes; i++, count++) {
		const pthread_t *twin = NULL;

#ifdef SYMMETRIC
		twin = i > 0 ? &thread[count - 1] : NULL;
#endif
		client_spawn(&thread[count], remover, NULL, twin);
	}
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
}

#endif
