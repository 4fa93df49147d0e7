/* A sequence lock: a reader that began with an old number fails whatever it reads after that, past a fence.  So nothing is left
 * blocked, and the failed attempts of two readers do not multiply.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 9, blocked 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define load(x) atomic_load_explicit(x, memory_order_relaxed)
#define store(x, v) atomic_store_explicit(x, v, memory_order_relaxed)

static atomic_int sequence, first, second;

static void *reader(void *arg)
{
	int before, a, b;

	do {
		do
			before = atomic_load_explicit(&sequence, memory_order_acquire);
		while (before % 2);
		a = load(&first);
		b = load(&second);
		atomic_thread_fence(memory_order_acquire);
	} while (load(&sequence) != before);
	assert(a == b);
	return arg;
}

static void *writer(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		store(&sequence, 2 * i - 1);
		atomic_thread_fence(memory_order_release);
		store(&first, i);
		store(&second, i);
		atomic_store_explicit(&sequence, 2 * i, memory_order_release);
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, i ? reader : writer, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
