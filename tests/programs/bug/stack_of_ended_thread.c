/* A local variable of a thread that has ended, or of a function that has returned.  In whichever
 * order the threads come, and also if the use is only not ordered before the end.
 * expect sc,rc11: violation use after free, says "which has ended"
 * expect sc,rc11 -- -DTHREAD_LOCAL: violation use after free, says "which has ended"
 * expect sc,rc11 -- -DCONCURRENT: violation use after free
 * expect sc,rc11 -- -DCONCURRENT -DUSER_FIRST: violation use after free
 * expect sc,rc11 -- -DCONCURRENT -DRETURNS: violation use after free
 * expect sc,rc11 -- -DCONCURRENT -DRETURNS -DUSER_FIRST: violation use after free
 * expect sc,rc11 -- -DCONCURRENT -DORDERED: verified
 * expect sc,rc11 -- -DCONCURRENT -DORDERED -DRETURNS: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int *_Atomic box;
static atomic_int done, later;
static _Thread_local int own;

static __attribute__((noinline)) void lend(void)
{
	int local = 1;

#ifdef THREAD_LOCAL
	box = &own;
#else
	box = &local;
#endif
#ifdef ORDERED
	while (!done)
		;
#endif
}

static void *owner(void *unused)
{
#ifdef RETURNS
	lend();
	later = 1;
#else
	int local = 1;
	box = &local;
	if (!unused)
		lend();
#endif
	return unused;
}

static void *user(void *unused)
{
	int *it = box;

	if (it)
		++*it;
	done = 1;
	return unused;
}

int main(void)
{
	pthread_t a, b;

#ifdef CONCURRENT
#ifdef USER_FIRST
	pthread_create(&b, NULL, user, NULL);
	pthread_create(&a, NULL, owner, NULL);
#else
	pthread_create(&a, NULL, owner, NULL);
	pthread_create(&b, NULL, user, NULL);
#endif
	pthread_join(a, NULL);
#else
	pthread_create(&a, NULL, owner, NULL);
	pthread_join(a, NULL);
	pthread_create(&b, NULL, user, NULL);
#endif
	pthread_join(b, NULL);
	return 0;
}
