/* A loop that counts without end, in shared memory, by seq_cst operations; the result is never read,
 * so that it comes back to the same state again and again.  Without a bound of the user's.
 *
 * expect sc,rc11: violation endless loop at BUG
 */
#include "../parallel.h"

static atomic_uint count;

static void count_up(void)
{
	for (;;)
		fetch_add(&count, 1, seq_cst); /* BUG */
}

int main(void)
{
	parallel(count_up);
	return 0;
}
