/* Two threads were declared to be alike, but their parent writes between their beginnings to what
 * they read.  Of the two executions in which one of them comes second only that without the race
 * was explored.  Now the exploration begins again, without taking them to be alike.
 *
 * expect rc11: violation race
 * expect rc11 --no-symmetry: violation race
 * expect rc11 -- -DEVENT: verified, executions 3
 * expect rc11 --no-symmetry -- -DEVENT: verified, executions 3
 * expect rc11 -- -DAPART: verified, executions 1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);

static atomic_int x, begun;
static int data, other;

static void *second_reads(void *unused)
{
	int zero = 0;

	if (!atomic_compare_exchange_strong_explicit(&x, &zero, 1, memory_order_relaxed,
						     memory_order_relaxed)) {
#ifdef EVENT
		atomic_load_explicit(&begun, memory_order_relaxed);
#else
		return data ? &data : unused;
#endif
	}
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, second_reads, NULL);
#if defined(EVENT)
	atomic_store_explicit(&begun, 1, memory_order_relaxed);
#elif defined(APART)
	other = 5;
#else
	data = 5;
#endif
	b = __VERIFIER_spawn_symmetric(second_reads, NULL, a);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return other == 7;
}
