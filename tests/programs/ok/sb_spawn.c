/* Store buffering with seq_cst accesses, one side divided between a thread and the one that it starts.
 * expect sc,tso,rc11: verified, executions 3
 * expect rc11 --release-sequences c20: verified, executions 3
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r1, r2;

static void *reader(void *unused)
{
	r1 = atomic_load(&y);
	return unused;
}

static void *other(void *unused)
{
	atomic_store(&y, 1);
	r2 = atomic_load(&x);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&b, NULL, other, NULL);
	atomic_store(&x, 1);
	pthread_create(&a, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(r1 || r2);
	return 0;
}
