/* Plain accesses between begin and end take place at once.
 * options: --races ignore -- -O0
 * expect sc: verified
 */
#include "../parallel.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int count;

static void add(void)
{
	__VERIFIER_atomic_begin();
	count++;
	__VERIFIER_atomic_end();
}

int main(void)
{
	parallel(add, add, add);
	assert(count == 3);
	return 0;
}
