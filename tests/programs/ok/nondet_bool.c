/* A choice between true and false needs no range.
 * expect sc,rc11: verified, executions 4, outcomes 00 | 01 | 10 | 11
 */
#include <stdbool.h>

_Bool __VERIFIER_nondet_bool(void);
void lp_outcome(const char *);

int main(void)
{
	bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();

	lp_outcome(a ? b ? "11" : "10" : b ? "01" : "00");
	return 0;
}
