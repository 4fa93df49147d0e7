/* options: run
 * Reached in some interleavings only; never; by a callback of the library; behind a call that never returns. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

void __VERIFIER_assume(int);

static int compare(const void *a, const void *b)
{
	const int l = *(const int *)a, r = *(const int *)b;  /* @+ */
	if (l == r)                                          /* @+ never +1 */
		return 0;                                        /* @- */
	return l < r ? -1 : 1;                               /* @+ */
}

static void wait_for_what_never_comes(void)
{
	__VERIFIER_assume(atomic_load(&x) == 99);            /* @+ */
}                                                        /* @- */

static void *left(void *unused)
{
	atomic_store(&x, 1);                                 /* @+ */
	if (!atomic_load(&y))                                /* @+ never +2 */
		atomic_store(&y, 2);                             /* @+ */
	return unused;
}

static void *right(void *unused)
{
	int numbers[] = { 3, 1, 2 };
	qsort(numbers, 3, sizeof *numbers, compare);         /* @+ */
	if (!atomic_load(&x) && atomic_load(&y) == 2)        /* @+ */
		atomic_store(&y, 3);                             /* @+ */
	if (atomic_load(&x) > 1)                             /* @+ never +1 */
		atomic_store(&y, 4);                             /* @- */
	return unused;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, left, NULL);
	pthread_create(&u, NULL, right, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	if (atomic_load(&y) == 2) {                          /* @+ */
		wait_for_what_never_comes();                     /* @+ */
		atomic_store(&y, 5);                             /* @- */
	}
	return 0;                                            /* @+ */
}
