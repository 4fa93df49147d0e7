/* A thread is dropped after it has written what main() reads at its end.  So the race is in no complete execution, and the end of
 * main() must be performed in executions that are blocked, too.
 * expect sc,tso,ra,rc11: violation race at BUG
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
static atomic_int x;
static int data, sink;

static void *a(void *p)
{
	if (atomic_load_explicit(&x, memory_order_relaxed)) {
		data = 1; /* BUG */
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
	pthread_create(&t, 0, a, 0);
	pthread_create(&u, 0, b, 0);
	pthread_join(u, 0);
	int r = data; /* BUG */
	pthread_join(t, 0);
	return r;
}
