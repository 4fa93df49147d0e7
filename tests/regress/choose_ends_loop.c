/* A loop that a chosen number ends does not spin forever, whichever number that is.
 * expect sc,tso,ra,rc11: verified
 */
#include <stdatomic.h>

int __VERIFIER_nondet_bool(void);

static atomic_int x;

int main(void)
{
	do {
		atomic_load(&x);
	} while (__VERIFIER_nondet_bool() == 0);
	do {
		atomic_load(&x);
	} while (__VERIFIER_nondet_bool() == 1);
	return 0;
}
