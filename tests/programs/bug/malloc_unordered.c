/* A block is passed on by a relaxed store: who finds it there may be ahead of its allocation,
 * even if nothing was written to the block before.
 * expect sc,tso,ra: verified
 * expect rc11: violation race at BUG, says "the allocation"
 * expect rc11 -- -DATOMIC: violation race at BUG, says "the allocation"
 * expect rc11 -- -DPAGES: violation race at BUG, says "the allocation"
 * expect rc11 -- -DORDER=release: verified
 * expect rc11 -- -DORDER=release -DPAGES: verified
 */
#include <stdlib.h>

#include "../parallel.h"

#ifndef ORDER
#define ORDER relaxed
#endif
#ifdef PAGES
enum { SIZE = 50000, AT = 30000 };
#else
enum { SIZE = 4, AT = 2 };
#endif
#ifdef ATOMIC
typedef atomic_int item;
#else
typedef int item;
#endif

static item *_Atomic box;

static void owner(void)
{
	item *new = malloc(SIZE * sizeof *new); /* BUG */

	store(&box, new, ORDER);
}

static void user(void)
{
	item *it = load(&box, acquire);

	if (it)
		it[AT] = 1; /* BUG */
}

int main(void)
{
	parallel(owner, user);
	return 0;
}
