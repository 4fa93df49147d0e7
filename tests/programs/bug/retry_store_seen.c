/* What a failed attempt stores is overwritten by the next one, and may be seen before that.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DPLAIN: violation race
 */
#include "../parallel.h"

static atomic_int turn;
#ifdef PLAIN
static int tried;
#define SET(value) (tried = (value))
#define GET() tried
#else
static atomic_int tried;
#define SET(value) store(&tried, value, relaxed)
#define GET() load(&tried, relaxed)
#endif

static void take(void)
{
	int now;

	do {
		now = load(&turn, relaxed);
		SET(now + 1);
	} while (!cas(&turn, &now, now + 1, relaxed));
}

static void take_first(void)
{
	int now = 0;

	if (cas(&turn, &now, 5, relaxed))
		assert(GET() != 1); /* BUG */
}

int main(void)
{
	parallel(take, take_first);
	return 0;
}
