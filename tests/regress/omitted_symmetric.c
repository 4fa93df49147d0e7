/* An iteration of a like thread that is left out races with what only the other one does, in the order in which
 * like threads are explored.
 *
 * expect rc11: violation race
 * expect rc11 --no-symmetry: violation race
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);
atomic_int x, done, ticket;
int data;
#define R memory_order_relaxed
#define LD(v) atomic_load_explicit(&v, R)
#define ST(v, n) atomic_store_explicit(&v, n, R)
#ifndef LOOP
#define LOOP for (;;)
#endif
static void *f(void *z)
{
	LOOP
	{
		int s = LD(x);
		if (s == 1) {
			if (data)
				abort();
			continue;
		}
		if (s == 2)
			break;
	}
	if (atomic_fetch_add_explicit(&ticket, 1, R) == 1)
		ST(done, 1);
	else if (LD(done))
		data = 0;
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, f, 0);
#ifdef NOSYM
	pthread_create(&u, 0, f, 0);
#else
	u = __VERIFIER_spawn_symmetric(f, 0, t);
#endif
	ST(x, 1);
	ST(x, 2);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
