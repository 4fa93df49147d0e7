/* options: check --ops 2
 * Two decisions of one macro in one line, two functions of one macro, code that is compiled out. */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int n;

#define LIMIT(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define GETTER(name, value) static int name(void) { if (atomic_load(&n) > (value)) return 1; return 0; }

GETTER(is_positive, 0)  /* @+ never +0 */
GETTER(is_large, 50)    /* @+ never +0 */

LP_SPEC("counter")
LP_METHOD(increment_fetch)
{
	const int old = atomic_fetch_add(&n, 1);  /* @+ */
	if (0)
		return 5;                             /* @0 */
	if (is_large() && is_positive())          /* @+ never +0 */
		return 3;                             /* @- */
	return LIMIT(old + 1, 1, 100) + 0 * is_positive();             /* @+ never +0 */
}
