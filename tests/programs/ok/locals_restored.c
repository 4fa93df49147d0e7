/* A thread writes to a local variable of main().  When the exploration goes back to the choice of
 * reads_x(), the variable has its first value again, although main() has not run since where
 * waits() was blocked.
 * expect sc,tso,ra,rc11: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int x, y;

static void *writes_x(void *unused)
{
	(void)unused;
	for (int i = 1; i < 5; i++)
		atomic_store(&x, i);
	return NULL;
}

static void *reads_x(void *unused)
{
	(void)unused;
	atomic_store(&y, atomic_load(&x) == 0);
	return NULL;
}

static void *counts(void *count)
{
	assert(atomic_fetch_add((atomic_int *)count, 1) == 0);
	return NULL;
}

static void *waits(void *unused)
{
	(void)unused;
	__VERIFIER_assume(atomic_load(&y));
	return NULL;
}

int main(void)
{
	atomic_int count = 0;
	pthread_t thread[4];

	pthread_create(&thread[0], NULL, writes_x, NULL);
	pthread_create(&thread[1], NULL, reads_x, NULL);
	pthread_create(&thread[2], NULL, counts, &count);
	pthread_create(&thread[3], NULL, waits, NULL);
	for (int i = 4; i-- > 0;)
		pthread_join(thread[i], NULL);
	return 0;
}
