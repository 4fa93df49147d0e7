/* More plain reads between two operations than are told apart are as good as a read of all memory;
 * to note it address by address, when like threads begin after that, had no end.
 * expect sc,tso,ra,rc11: verified, executions 1
 */
#include <pthread.h>
#include <stdatomic.h>

pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);

static int table[400];
static atomic_int count;

static void *add(void *nothing)
{
	atomic_fetch_add(&count, 1);
	return nothing;
}

int main(void)
{
	pthread_t first, second, third;
	int sum = 0;

	pthread_create(&first, NULL, add, NULL);
	pthread_join(first, NULL);
	for (int i = 0; i < 400; i += 2)
		sum += table[i];
	pthread_create(&second, NULL, add, NULL);
	third = __VERIFIER_spawn_symmetric(add, NULL, second);
	pthread_join(second, NULL);
	pthread_join(third, NULL);
	return sum;
}
