/* expect sc,rc11: violation use after free at BUG
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);

	*p = 1;
	free(p);
	*p = 2; /* BUG */
	return 0;
}
