/* client.c -- for the peer: the most parallel client of an object, which comes before it
 * (-include).
 *
 *   INSERT, REMOVE      its methods
 *   INSERTS, REMOVES    how many calls of each, one a thread
 *   HAS_SETUP           the harness has an LP_SETUP
 *
 * Calls of one method are declared alike.  Values are made from thread numbers, so that the
 * peer sees inserters with the same argument.
 */
#include <genmc.h>
#include <pthread.h>

#define NAME_(x) peer_##x
#define NAME(x) NAME_(x)

static void *inserter(void *unused)
{
	(void)unused;
	NAME(INSERT)(100 + (int)pthread_self());
	return NULL;
}

static void *remover(void *unused)
{
	(void)unused;
	NAME(REMOVE)();
	return NULL;
}

static void spawn(int count, void *(*body)(void *), pthread_t *threads)
{
	for (int i = 0; i < count; i++) {
		if (i)
			threads[i] = __VERIFIER_spawn_symmetric(body, NULL, threads[i - 1]);
		else
			pthread_create(&threads[i], NULL, body, NULL);
	}
}

int main(void)
{
	pthread_t inserters[INSERTS], removers[REMOVES];

#ifdef HAS_SETUP
	peer_setup();
#endif
	spawn(INSERTS, inserter, inserters);
	spawn(REMOVES, remover, removers);
	for (int i = 0; i < INSERTS; i++)
		pthread_join(inserters[i], NULL);
	for (int i = 0; i < REMOVES; i++)
		pthread_join(removers[i], NULL);
	return 0;
}
