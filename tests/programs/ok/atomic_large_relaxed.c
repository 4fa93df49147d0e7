/* ISO C does not order the relaxed store of a large object before the load that reads it; libatomic does, and so does
 * linchpin: the race is not found (docs/soundness.md).
 * expect sc,tso,ra,rc11: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct large {
	long words[3];
};

static _Atomic struct large shared;
static int data;

static void *publish(void *arg)
{
	const struct large one = { { 1, 1, 1 } };

	(void)arg;
	data = 1;
	atomic_store_explicit(&shared, one, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, publish, NULL);
	const struct large found = atomic_load_explicit(&shared, memory_order_relaxed);
	if (found.words[0])
		data = 2;
	pthread_join(thread, NULL);
}
