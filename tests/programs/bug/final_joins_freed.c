/* A thread is dropped after it has freed what main() reads at its end, so the memory is freed in no complete execution.
 * expect sc,tso,ra,rc11: violation use after free at BUG
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_assume(int);
static atomic_int x;
static int *data;

static void *a(void *p)
{
	if (atomic_load_explicit(&x, memory_order_relaxed)) {
		free(data);
		__VERIFIER_assume(0);
	}
	return p;
}

static void *b(void *p)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return p;
}

int main(void)
{
	pthread_t t, u;
	data = calloc(1, sizeof *data);
	pthread_create(&t, 0, a, 0);
	pthread_create(&u, 0, b, 0);
	pthread_join(u, 0);
	int r = *data; /* BUG */
	pthread_join(t, 0);
	return r;
}
