/* An atomic in fresh memory, read before it is written.
 * expect sc,rc11: violation uninitialised at BUG
 */
#include <stdatomic.h>
#include <stdlib.h>

int main(void)
{
	atomic_int *p = malloc(sizeof *p);

	atomic_fetch_add(p, 1); /* BUG */
	free(p);
	return 0;
}
