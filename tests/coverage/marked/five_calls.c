/* options: check --ops 5
 * The same with five calls: it is reached. */
#include <stdatomic.h>

static atomic_int n;

#include <linchpin.h>

LP_SPEC("counter")
LP_METHOD(increment_fetch)
{
	const int old = atomic_fetch_add(&n, 1);  /* @+ */
	switch (old) {  /* @+ */
	case 0:
		return 1;           /* @+ */
	case 4:
		return 5;           /* @+ */
	default:
		return old + 1;     /* @+ */
	}
}
