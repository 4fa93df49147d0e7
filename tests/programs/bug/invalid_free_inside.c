/* expect sc,rc11: violation invalid free at BUG
 */
#include <stdlib.h>

int main(void)
{
	char *volatile p = malloc(8);

	free(p + 4); /* BUG */
	return 0;
}
