/* loops.c -- conditions of all kinds: if one is negated, the result of the method changes. */
#include <stdatomic.h>
#include <linchpin.h>

static atomic_long x;

static long increment(void)
{
	/* clang ends the variable of a loop before the loop's body, in the order of blocks. */
	for (long was = atomic_load(&x); !atomic_compare_exchange_weak(&x, &was, was + 1);)
		;
	return 0;
}

static long sums(long sum)
{
	for (int i = 0, j = 5; i < j && sum < 3; i++)
		sum++;
	while (sum > 0 || sum < -5)
		sum -= sum > 0;
	long n = sum, total = 0;
	do {
		n++;
		total += n;
	} while (n % 4);
	if (n > 100 || n < 4)
		return 1;
	if (n == 8 && !n)
		return 2;
	return n ? total : 2;
}

LP_SPEC("counter")
LP_METHOD(increment) { increment(); return LP_VOID; }
LP_METHOD(fetch_add, v) { long s = sums(v); return atomic_fetch_add(&x, v) + s - 10; }
