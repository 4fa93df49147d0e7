/* Loops around a compare-exchange of floating-point numbers did not end with gcc: how many bytes
 * an instruction on one of them reads was not known, so that nothing could be told of the frame.
 * And `+=` on an atomic one calls a function of libatomic that was missing.
 *
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 4
 * expect sc,tso,ra,rc11 --no-rereads: verified, executions 16
 * expect rc11 -- -O0: verified, executions 4
 * expect rc11 --no-weak-fail: verified, executions 4
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic double d;
static _Atomic float f;

static void *halve(void *arg)
{
	double seen = atomic_load(&d);

	while (!atomic_compare_exchange_weak(&d, &seen, (seen + 3) / 2))
		;
	f += 1.5f;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, halve, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(d == 2.25 && f == 3);
	return 0;
}
