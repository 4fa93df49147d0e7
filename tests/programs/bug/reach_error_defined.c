/* The usual definition of reach_error() in verification benchmarks.
 * expect sc: violation assertion
 */
#include <assert.h>

void reach_error(void)
{
	assert(0 && "reach_error");
}

int main(void)
{
	reach_error();
	return 0;
}
