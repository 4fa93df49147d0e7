/* Ticket lock: first come, first served.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 6
 */
#include "../parallel.h"

static atomic_uint next, serving;
static int count;

static void add(void)
{
	unsigned mine = fetch_add(&next, 1, relaxed);

	while (load(&serving, acquire) != mine)
		;
	count++;
	store(&serving, mine + 1, release);
}

int main(void)
{
	parallel(add, add, add);
	assert(count == 3);
	return 0;
}
