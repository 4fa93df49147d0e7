/* clang pads an _Atomic structure of 12 bytes to 16, and a compare-exchange that fails leaves the
 * value that it has found in a copy: `expected` stays as it was.  That was taken for what the source says.
 *
 * expect sc,rc11: inconclusive, says "a compare-exchange of a padded _Atomic structure"
 * expect sc,rc11 -- -DFOURTH: violation assertion at BUG
 */
#include <assert.h>
#include <stdatomic.h>

struct several {
	int a, b, c;
#ifdef FOURTH /* no padding */
	int d;
#endif
};

static _Atomic struct several x;

int main(void)
{
	const struct several one = { .a = 1 }, two = { .a = 2 };
	struct several expected = { 0 };

	atomic_store(&x, one);
	if (!atomic_compare_exchange_strong(&x, &expected, two))
		assert(expected.a == 0); /* BUG */
	return 0;
}
