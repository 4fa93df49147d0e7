/* A lock made of two plain statements.
 * options: --races ignore -- -O0
 * expect sc: violation assertion at BUG
 */
#include "../parallel.h"

static int held, inside;

static void enter(void)
{
	while (held)
		;
	held = 1;
	inside++;
	assert(inside == 1); /* BUG */
	inside--;
	held = 0;
}

int main(void)
{
	parallel(enter, enter);
	return 0;
}
