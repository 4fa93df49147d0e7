/* The pointer is not yet there for a reader that comes too early.
 * expect sc,rc11: violation crash|out of bounds at BUG
 */
#include "../parallel.h"

static int value = 1;
static _Atomic(int *) pointer;

static void setter(void)
{
	store(&pointer, &value, release);
}

static void reader(void)
{
	int *p = load(&pointer, acquire);

	assert(*p == 1); /* BUG */
}

int main(void)
{
	parallel(setter, reader);
	return 0;
}
