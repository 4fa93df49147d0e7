/* Long, but not endless: thousands of atomic variables are set, and thousands of seq_cst operations
 * done by one thread.  Under rc11 each of them was compared with all others.
 *
 * expect sc,rc11: verified
 */
#include "../parallel.h"

static atomic_uint many[8000], count;

static void count_up(void)
{
	for (int i = 0; i < 4000; i++)
		fetch_add(&count, 1, seq_cst);
}

int main(void)
{
	for (int i = 0; i < 8000; i++)
		store(&many[i], 1, seq_cst);
	parallel(count_up);
	assert(load(&count, seq_cst) == 4000);
	return 0;
}
