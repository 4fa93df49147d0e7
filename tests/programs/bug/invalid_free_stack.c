/* expect sc,rc11: violation invalid free at BUG
 */
#include <stdlib.h>

int main(void)
{
	char local[8], *volatile p = local;

	free(p); /* BUG */
	return 0;
}
