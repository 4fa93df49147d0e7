/* lp_outcome() tells the executions apart.
 * expect sc,tso,ra,rc11: verified, executions 2, outcomes 0 | 1
 */
#include "../parallel.h"

void lp_outcome(const char *);

static atomic_int x;
static int seen;

static void writer(void)
{
	store(&x, 1, relaxed);
}

static void reader(void)
{
	seen = load(&x, relaxed);
}

int main(void)
{
	parallel(writer, reader);
	lp_outcome(seen ? "1" : "0");
	return 0;
}
