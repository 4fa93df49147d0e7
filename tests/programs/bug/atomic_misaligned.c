/* Atomic accesses at addresses that they cannot have: undefined behaviour.
 * expect rc11: violation misaligned at BUG
 * expect rc11 -- -DHEAP: violation misaligned at BUG
 * expect rc11 -- -DWILD=3: violation out of bounds at BUG
 * expect rc11 -- -DFREED: violation use after free at BUG
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static int words[4];

int main(void)
{
	uintptr_t at = (uintptr_t)words + 1;

#ifdef HEAP
	at = (uintptr_t)malloc(8) + 2;
#endif
#ifdef FREED
	void *gone = malloc(8);
	at = (uintptr_t)gone + 2;
	free(gone);
#endif
#ifdef WILD
	at = WILD;
#endif
	atomic_store((atomic_int *)at, 1); /* BUG */
	return 0;
}
