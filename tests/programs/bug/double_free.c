/* expect sc,rc11: violation double free at BUG
 */
#include <stdlib.h>

int main(void)
{
	char *p = malloc(8), *volatile q = p;

	free(p);
	free(q); /* BUG */
	return 0;
}
