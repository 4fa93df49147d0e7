/* The load and the store are atomic each, not together.
 * options: --races ignore -- -O0
 * expect sc: violation assertion at BUG
 */
#include "../parallel.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int count;

static void add(void)
{
	int old;

	__VERIFIER_atomic_begin();
	old = count;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	count = old + 1;
	__VERIFIER_atomic_end();
}

int main(void)
{
	parallel(add, add);
	assert(count == 2); /* BUG */
	return 0;
}
