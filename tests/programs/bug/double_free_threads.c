/* Both threads find the pointer before either has taken it away.
 * expect sc,rc11: violation double free|race|use after free
 */
#include <stdlib.h>

#include "../parallel.h"

static _Atomic(int *) box;

static void take(void)
{
	int *mine = load(&box, acquire);

	store(&box, NULL, release);
	free(mine);
}

int main(void)
{
	store(&box, malloc(sizeof(int)), relaxed);
	parallel(take, take);
	return 0;
}
