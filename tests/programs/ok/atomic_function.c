/* A function whose name says that it is atomic.
 * options: --races ignore -- -O0
 * expect sc: verified
 */
#include "../parallel.h"

static int count;

void __VERIFIER_atomic_add(void);
void __VERIFIER_atomic_add(void)
{
	int old = count;

	count = old + 1;
}

static void add(void)
{
	__VERIFIER_atomic_add();
}

int main(void)
{
	parallel(add, add);
	assert(count == 2);
	return 0;
}
