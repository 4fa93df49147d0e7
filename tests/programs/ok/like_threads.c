/* Threads that are started likewise are alike, although the program does not say so: one order of them is explored.
 *
 * expect sc,tso,ra,rc11: verified, executions 1
 * expect sc,tso,ra,rc11 --no-symmetry: verified, executions 6
 * expect rc11 -j 2: verified, executions 1
 * expect rc11 -- -DTWO_KINDS: verified, executions 4
 * expect rc11 --no-symmetry -- -DTWO_KINDS: verified, executions 24
 * expect rc11 -- -DALLOCATES: verified, executions 6
 * expect rc11 -j 2 -- -DALLOCATES: verified, executions 6
 * expect rc11 -- -DBARRIER: verified, executions 6
 * expect rc11 -- -DIGNORES: verified, executions 1
 * expect rc11 --no-symmetry -- -DIGNORES: verified, executions 6
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#undef NDEBUG
#include <assert.h>

enum { N = 3 };

static atomic_int x;
static pthread_barrier_t barrier;

static void *adds(void *arg)
{
#ifdef ALLOCATES
	free(malloc(1));
#endif
#ifdef BARRIER
	pthread_barrier_wait(&barrier);
#endif
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
#ifdef IGNORES
	return NULL;
#else
	return arg == &x ? NULL : arg;
#endif
}

#ifdef TWO_KINDS
static void *subtracts(void *unused)
{
	atomic_fetch_sub_explicit(&x, N, memory_order_relaxed);
	return unused;
}
#endif

int main(void)
{
	pthread_t thread[N + 1];
	void *result;

	pthread_barrier_init(&barrier, NULL, N);
	for (int i = 0; i < N; i++)
#ifdef IGNORES
		pthread_create(&thread[i], NULL, adds, &thread[i]);
#else
		pthread_create(&thread[i], NULL, adds, &x);
#endif
#ifdef TWO_KINDS
	pthread_create(&thread[N], NULL, subtracts, NULL);
	pthread_join(thread[N], NULL);
#endif
	for (int i = 0; i < N; i++) {
		pthread_join(thread[i], &result);
		assert(!result);
	}
#ifdef TWO_KINDS
	assert(x == 0);
#else
	assert(x == N);
#endif
	return 0;
}
