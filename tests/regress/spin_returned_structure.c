/* A returned structure is stored into shared memory without a hook: the loop changes
 * something all the same.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct step {
	long n[4];
};

static atomic_int x;

__attribute__((noinline)) static struct step next(long n)
{
	struct step s = { { n + 1 } };
	return s;
}

static void *set(void *unused)
{
	atomic_store(&x, 1);
	return unused;
}

int main(void)
{
	struct step *p = malloc(sizeof *p);
	pthread_t thread;

	p->n[0] = 0;
	pthread_create(&thread, NULL, set, NULL);
	while (p->n[0] < 3 && !atomic_load(&x))
		*p = next(p->n[0]);
	assert(p->n[0] != 3); /* BUG */
	pthread_join(thread, NULL);
	return 0;
}
