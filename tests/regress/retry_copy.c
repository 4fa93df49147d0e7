/* A copy of a structure with an atomic member reads the plain member, too.  What a failed attempt
 * wrote there is read before the next attempt overwrites it, so the attempt must not be left out.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DGLOBAL: violation assertion at BUG
 */
#include <stdlib.h>
#include <string.h>

#include "../programs/parallel.h"

struct pair {
	long plain;
	atomic_long atomic;
};
static atomic_long turn;

static struct pair *new_pair(void)
{
#ifdef GLOBAL
	static struct pair pair;
	return &pair;
#else
	return calloc(1, sizeof(struct pair));
#endif
}

static void take(void)
{
	struct pair *mine = new_pair();
	long now, found;

	store(&mine->atomic, 1, relaxed);
	do {
		struct pair copy;
		now = load(&turn, relaxed);
		memcpy(&copy, mine, sizeof copy);
		found = copy.plain;
		mine->plain = now + 1;
	} while (!cas(&turn, &now, now + 1, relaxed));
	assert(found == 0); /* BUG */
}

static void interfere(void)
{
	store(&turn, 5, relaxed);
}

int main(void)
{
	parallel(take, interfere);
	return 0;
}
