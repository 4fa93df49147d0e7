/* expect sc,rc11: violation use after free at BUG
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p), *q;

	*p = 1;
	q = realloc(p, 100 * sizeof *p);
	q[1] = *p; /* BUG */
	free(q);
	return 0;
}
