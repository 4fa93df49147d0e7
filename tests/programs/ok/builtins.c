/* The older __sync builtins: a lock and a counter made of them.
 * expect sc,rc11: verified
 */
#include "../parallel.h"

static int lock;
static int count;
static int total;

static void add(void)
{
	while (__sync_lock_test_and_set(&lock, 1))
		;
	count++;
	__sync_lock_release(&lock);
	__sync_fetch_and_add(&total, 2);
}

int main(void)
{
	parallel(add, add);
	assert(count == 2 && total == 4);
	assert(__sync_bool_compare_and_swap(&total, 4, 0) && total == 0);
	__sync_synchronize();
	return 0;
}
