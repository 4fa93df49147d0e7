/* options: check --ops 2
 * What the harness does around the calls is not the object's; what the object does there is. */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *n;

static void set_up(void)         /* @+ */
{
	n = malloc(sizeof *n);       /* @+ */
	if (!n)                      /* @+ never +1 */
		exit(1);                 /* @- */
	atomic_init(n, 0);           /* @+ */
}

static void tear_down(void)      /* @+ */
{
	if (atomic_load(n) > 100)    /* @+ never +1 */
		atomic_store(n, 0);      /* @- */
	free(n);                     /* @+ */
}

LP_SPEC("counter")
LP_SETUP
{
	set_up();                    /* @0 */
}
LP_TEARDOWN
{
	if (atomic_load(n) == 77)    /* @0 */
		return;                  /* @0 */
	tear_down();                 /* @0 */
}
LP_INVARIANT
{
	return atomic_load(n) >= 0;  /* @0 */
}
LP_METHOD(increment_fetch) { return atomic_fetch_add(n, 1) + 1; }  /* @+ */
