/* The helped thread accesses memory plainly between the store that others see and the
 * compare-and-swap that they do for it.  A thread that helps, and then looks at what only the
 * other's compare-and-swap would publish, races with that.  To let it wait for the other's is to
 * lose the race.
 *
 * expect sc,tso,ra,rc11: violation race
 * expect sc,tso,ra,rc11 -- -DREVERSED: violation race
 * expect sc,rc11 -- -DFREES: violation use after free
 * expect sc,rc11 -- -DFREES -DREVERSED: violation use after free
 * expect ra,rc11 -- -DSTORES: violation race
 * expect ra,rc11 -- -DSTORES -DREVERSED: violation race
 * expect ra,rc11 -- -DSTORES -DFREES: violation use after free
 * expect ra,rc11 -- -DSTORES -DFREES -DREVERSED: violation use after free
 * expect sc,tso,ra,rc11 -- -DSTACK: violation race
 * expect ra,rc11 -- -DSTORES -DSTACK: violation race
 * expect sc,tso,ra,rc11 -- -DREADS: violation race
 * expect ra,rc11 -- -DSTORES -DREADS -DREVERSED: violation race
 * expect sc,rc11 -- -DEARLY: verified
 * expect sc,rc11 -- -DSTORES -DEARLY: verified
 */
#include <stdlib.h>

#include "../programs/parallel.h"

static atomic_int next, tail, done;
static int *data;

static void move_tail(void)
{
#ifdef STORES
	atomic_store_explicit(&tail, 1, memory_order_release);
#else
	int last = 0;
	atomic_compare_exchange_strong(&tail, &last, 1);
#endif
}

static void helped(void)
{
#ifdef STACK
	int own = 0;
	data = &own;
#endif
#ifdef EARLY
	*data = 5;
#endif
	atomic_store_explicit(&next, 1, memory_order_release);
#if defined(READS)
	assert(*data != 7);
#elif !defined(EARLY)
	*data = 5;
#endif
	move_tail();
#ifdef STACK
	while (!atomic_load(&done)) /* so that `own` is there */
		;
#endif
}

static void helping(void)
{
	if (!atomic_load_explicit(&next, memory_order_acquire)) {
		atomic_store(&done, 1);
		return;
	}
	move_tail();
	if (!atomic_load_explicit(&tail, memory_order_acquire)) {
		atomic_store(&done, 1);
		return;
	}
#if defined(FREES)
	free(data);
#elif defined(READS)
	*data = 5;
#else
	assert(*data != 7);
#endif
	atomic_store(&done, 1);
}

int main(void)
{
	data = malloc(sizeof *data);
	*data = 0;
#ifdef REVERSED
	parallel(helping, helped);
#else
	parallel(helped, helping);
#endif
	return 0;
}
