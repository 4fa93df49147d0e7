/* expect sc,tso,ra,rc11: violation race at BUG
 */
#include "../parallel.h"

int x; /* not static: stores to it cannot be optimised away */

static void left(void)
{
	x = 1; /* BUG */
}

static void right(void)
{
	x = 2; /* BUG */
}

int main(void)
{
	parallel(left, right);
	return 0;
}
