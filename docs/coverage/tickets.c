/* tickets.c -- tickets in rolls of four: the first ticket of each further roll counts the roll. */
#include <assert.h>
#include <stdatomic.h>

#define ROLL 4

static atomic_int given, rolls;

static void count_roll(void)
{
	int old = atomic_load(&rolls);

	while (!atomic_compare_exchange_strong(&rolls, &old, old + 1))
		;
}

static int take(void)
{
	const int n = atomic_fetch_add(&given, 1);

	if (n < 0) /* after 2^31 calls */
		return 0;
	if (n > 0 && n % ROLL == 0)
		count_roll();
	assert(atomic_load(&rolls) <= n / ROLL + 1);
	return n + 1;
}

#include <linchpin.h>

LP_SPEC("counter")
LP_METHOD(increment_fetch) { return take(); }
LP_METHOD(read) { return atomic_load(&given); }
