/* Who is helped looks at what became of its own compare-and-swap: at the answer, at what was
 * there instead, or leaves it to a caller to do so.
 * expect sc,tso,ra,rc11 -- -DRESULT: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DEXPECTED: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DRETURNED: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DRESULT -O2: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DEXPECTED -O2: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DRETURNED -O2: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DRESULT -O0: violation assertion at BUG
 * expect sc,tso,ra,rc11: verified
 */
#include "../parallel.h"

static atomic_int announced, done;

static __attribute__((noinline)) int swing(void)
{
	int expected = 0;

	return cas(&done, &expected, 1, release);
}

static void helped(void)
{
	int expected = 0;

	load(&done, acquire);
	store(&announced, 1, release);
#ifdef RESULT
	assert(cas(&done, &expected, 1, release)); /* BUG */
#elif defined EXPECTED
	cas(&done, &expected, 1, release);
	assert(expected == 0); /* BUG */
#elif defined RETURNED
	(void)expected;
	assert(swing()); /* BUG */
#else
	(void)expected;
	swing();
#endif
}

static void helping(void)
{
	while (load(&announced, acquire) && !load(&done, acquire)) {
		int expected = 0;

		cas(&done, &expected, 1, release);
	}
}

int main(void)
{
	parallel(helped, helping);
	return 0;
}
