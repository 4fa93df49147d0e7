/* expect sc,rc11 --nondet 0..10: violation assertion at BUG
 * expect sc,rc11 --nondet 0..6: verified, executions 7
 */
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
	assert(__VERIFIER_nondet_int() != 7); /* BUG */
	return 0;
}
