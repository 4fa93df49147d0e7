/* Globals, static locals and heap are as new in every execution.
 * expect sc,tso,ra,rc11: verified, executions 2
 */
#include <stdlib.h>

#include "../parallel.h"

static int zero, seven = 7;
static int table[1000] = { [999] = 5 };
static char *block;
static atomic_int x;

static int calls(void)
{
	static int count;

	return ++count;
}

static void writer(void)
{
	store(&x, 1, relaxed);
}

static void reader(void)
{
	(void)load(&x, relaxed);
}

int main(void)
{
	assert(zero == 0 && seven == 7 && table[999] == 5 && block == NULL);
	assert(load(&x, relaxed) == 0 && calls() == 1);
	zero = seven = table[999] = 99;
	block = malloc(10);
	block[0] = 1;
	parallel(writer, reader);
	return 0;
}
