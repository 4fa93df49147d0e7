/* Threads declared alike are explored in one order only.
 * expect sc,rc11: verified, executions 1
 * expect sc,rc11 --no-symmetry: verified, executions 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);

static atomic_int x;

static void *add(void *unused)
{
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, add, NULL);
	b = __VERIFIER_spawn_symmetric(add, NULL, a);
	c = __VERIFIER_spawn_symmetric(add, NULL, b);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	assert(x == 3);
	return 0;
}
