/* Every value of a choice is explored.
 * expect sc,rc11 --nondet 0..3: verified, executions 4, outcomes 0 | 1 | 2 | 3
 * expect rc11 --nondet -1..0: verified, executions 2, outcomes 0 | -1
 */
#include <stdio.h>

int __VERIFIER_nondet_int(void);
void lp_outcome(const char *);

int main(void)
{
	char text[16];

	snprintf(text, sizeof text, "%d", __VERIFIER_nondet_int());
	lp_outcome(text);
	return 0;
}
