/* The halves of a location are stored plainly, and only then accessed as a whole.  These stores are steps of the execution, but the
 * one that repeats it does not know that yet when it comes to them, or does not come to the access of the whole at all.
 * expect rc11: violation race
 * expect rc11 -- -DELSEWHERE: violation assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

union halves {
	struct { uint32_t low, high; };
	uint64_t both;
};

static union halves *shared;
static atomic_int first;

static void *takes(void *unused)
{
#ifdef ELSEWHERE
	if (atomic_exchange(&first, 1)) {
		assert(__atomic_load_n(&shared->low, __ATOMIC_RELAXED) != 3);
		return NULL;
	}
#endif
	union halves old, new = { .low = 8, .high = 1 };

	old.low = __atomic_load_n(&shared->low, __ATOMIC_RELAXED);
	old.high = __atomic_load_n(&shared->high, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&shared->both, &old.both, new.both, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return unused;
}

static void *looks(void *unused)
{
#ifdef ELSEWHERE
	atomic_exchange(&first, 1);
	return unused;
#endif
	if (__atomic_load_n(&shared->high, __ATOMIC_RELAXED) == 1)
		return shared->low ? unused : NULL;
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	shared = aligned_alloc(64, 64);
	shared->low = 3;
	shared->high = 5;
	pthread_create(&a, NULL, takes, NULL);
	pthread_create(&b, NULL, looks, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(shared);
}
