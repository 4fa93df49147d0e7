/* The end of main() is taken as known once it was seen to do nothing but join threads and
 * read memory of its own.  Here, in a later execution, somebody else has written there.
 * expect rc11: violation assertion
 * expect rc11 -- -DRESULT: violation assertion
 * expect rc11 -- -DGLOBAL: violation assertion
 * expect rc11 -- -DLIMIT=3: verified
 * expect rc11 -- -DRESULT -DLIMIT=3: verified
 * expect rc11 -- -DGLOBAL -DLIMIT=3: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef LIMIT
#define LIMIT 2
#endif

static atomic_int x;
static int seen_last;

static void *writer(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return unused;
}

/* Reads 0 in the execution that is explored first. */
static void *reader(void *result)
{
	const int seen = atomic_load_explicit(&x, memory_order_relaxed);

	if (seen == 2) {
#ifdef GLOBAL
		seen_last = seen;
#else
		*(int *)result = seen;
#endif
	}
	return (void *)(intptr_t)seen;
}

int main(void)
{
	pthread_t thread[2];
	int mine = 0;

	pthread_create(&thread[0], NULL, reader, &mine);
	pthread_create(&thread[1], NULL, writer, NULL);
#ifdef RESULT
	void *result;
	pthread_join(thread[0], &result);
	pthread_join(thread[1], NULL);
	assert((intptr_t)result < LIMIT);
#else
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
#ifdef GLOBAL
	assert(seen_last < LIMIT);
#else
	assert(mine < LIMIT);
#endif
#endif
	return 0;
}
