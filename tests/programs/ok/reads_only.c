/* Reading plain data in parallel is no race.
 * expect rc11: verified, executions 1
 */
#include "../parallel.h"

static int table[3] = { 1, 2, 3 };

static void sum(void)
{
	int total = 0;

	for (int i = 0; i < 3; i++)
		total += table[i];
	assert(total == 6);
}

int main(void)
{
	parallel(sum, sum, sum);
	table[0] = 0;
	return 0;
}
