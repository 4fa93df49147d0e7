/* The size of a block is asked for after it was freed.
 * expect sc,tso,ra,rc11: violation use after free at BUG
 */
#include <malloc.h>
#include <stdlib.h>

int main(void)
{
	void *block = malloc(8);
	const size_t size = malloc_usable_size(block);

	free(block);
	return malloc_usable_size(block) != size; /* BUG */
}
