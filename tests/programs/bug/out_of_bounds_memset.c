/* The library's accesses count as well.
 * expect sc,rc11: violation out of bounds
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *a = malloc(10);

	memset(a, 0, 11);
	free(a);
	return 0;
}
