/* Lost memory is an error when asked for.
 * expect sc,rc11: verified, executions 1
 * expect sc,rc11 --leaks: violation leak
 */
#include <stdlib.h>

static char *volatile kept;

int main(void)
{
	char *volatile lost = malloc(8);

	kept = malloc(8);
	lost = NULL;
	(void)lost;
	return 0;
}
