/* Ticket lock that does not acquire.
 * expect rc11: violation race at BUG
 */
#include "../parallel.h"

static atomic_uint next, serving;
static int count;

static void add(void)
{
	unsigned mine = fetch_add(&next, 1, acq_rel);

	while (load(&serving, relaxed) != mine)
		;
	count++; /* BUG */
	store(&serving, mine + 1, release);
}

int main(void)
{
	parallel(add, add);
	return 0;
}
