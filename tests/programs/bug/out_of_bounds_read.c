/* One before the beginning.
 * expect sc,rc11: violation out of bounds at BUG
 */
#include <stdlib.h>

static volatile int sink;

int main(void)
{
	int *a = calloc(4, sizeof *a);

	for (int i = 3; i >= -1; i--)
		sink = a[i]; /* BUG */
	free(a);
	return 0;
}
