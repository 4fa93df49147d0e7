/* Constructors run once, before every execution so to speak.
 * expect sc,rc11: verified, executions 2
 */
#include <stdlib.h>

#include "../parallel.h"

static int *block;
static atomic_int x;

__attribute__((constructor)) static void prepare(void)
{
	block = malloc(sizeof *block);
	*block = 1;
	store(&x, 5, relaxed);
}

static void writer(void)
{
	fetch_add(&x, 1, relaxed);
}

static void reader(void)
{
	assert(load(&x, relaxed) >= 5);
}

int main(void)
{
	assert(++*block == 2);
	parallel(writer, reader);
	assert(load(&x, relaxed) == 6);
	return 0;
}
