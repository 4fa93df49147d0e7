/* Publication of an initialised block through a pointer; the old one is kept.
 * expect sc,tso,ra,rc11: verified, executions 2
 */
#include <stdlib.h>

#include "../parallel.h"

struct config {
	int version, sum;
};
static struct config first = { 1, 2 };
static _Atomic(struct config *) current = &first;

static void updater(void)
{
	struct config *new = malloc(sizeof *new);

	new->version = 10;
	new->sum = 20;
	store(&current, new, release);
}

static void reader(void)
{
	struct config *c = load(&current, acquire);

	assert(c->sum == 2 * c->version);
}

int main(void)
{
	parallel(updater, reader);
	return 0;
}
