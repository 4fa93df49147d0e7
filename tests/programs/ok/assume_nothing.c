/* If an assumption never holds there is nothing to be wrong.
 * expect rc11: verified, executions 0
 */
#include <assert.h>

void __VERIFIER_assume(int);

int main(void)
{
	__VERIFIER_assume(0);
	assert(0);
	return 0;
}
