/* One past the end.
 * expect sc,rc11: violation out of bounds at BUG
 */
#include <stdlib.h>

int main(void)
{
	int *a = malloc(4 * sizeof *a);

	for (int i = 0; i <= 4; i++)
		a[i] = i; /* BUG */
	free(a);
	return 0;
}
