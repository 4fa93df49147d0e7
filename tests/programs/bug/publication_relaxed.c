/* Publication without release: the reader may find the block as malloc left it.
 * expect rc11: violation race|uninitialised at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

struct config {
	int version;
};
static struct config first = { 1 };
static _Atomic(struct config *) current = &first;

static void updater(void)
{
	struct config *new = malloc(sizeof *new);

	new->version = 10; /* BUG */
	store(&current, new, relaxed);
}

static void reader(void)
{
	struct config *c = load(&current, acquire);

	assert(c->version > 0); /* BUG */
}

int main(void)
{
	parallel(updater, reader);
	return 0;
}
