/* A thread that is not joined uses a local variable of main(), in some executions only: elsewhere, main() ends
 * without any consequence.
 * expect sc,tso,ra,rc11: violation use after free, says "may still use its local variables"
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int *_Atomic lent;

static void *use(void *unused)
{
	(void)unused;
	if (atomic_load(&ready))
		*atomic_load(&lent) = 1;
	return NULL;
}

static void *prepare(void *unused)
{
	(void)unused;
	atomic_store(&ready, 1);
	return NULL;
}

int main(void)
{
	int local = 0;
	pthread_t first, second;

	atomic_store(&lent, &local);
	pthread_create(&first, NULL, use, NULL);
	pthread_create(&second, NULL, prepare, NULL);
	pthread_join(second, NULL);
	return 0;
}
