/* Memory allocated without end.
 * expect sc,rc11: violation out of memory at BUG
 */
#include <stdlib.h>

static void *volatile last;

int main(void)
{
	for (;;)
		last = malloc(1 << 20); /* BUG */
}
