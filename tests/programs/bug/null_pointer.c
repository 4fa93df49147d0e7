/* expect sc,rc11: violation crash|out of bounds at BUG
 */
#include <stddef.h>

int main(void)
{
	int *volatile p = NULL;

	return *p; /* BUG */
}
