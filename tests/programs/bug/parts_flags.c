/* Flags of a byte each, set one by one.  Who sees one of them knows nothing of what was done before
 * another one was set, though both are in the same word.
 * expect sc,tso,ra,rc11: violation race at WRITE
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	_Atomic uint32_t all;
	_Atomic uint8_t flag[4];
} f;
static int data;

static void first(void)
{
	data = 1; /* WRITE */
	store(&f.flag[0], 1, release);
}

static void second(void)
{
	store(&f.flag[3], 1, release);
}

static void reader(void)
{
	if (load(&f.flag[3], acquire))
		data = 2; /* WRITE */
}

int main(void)
{
	parallel(first, second, reader);
	return (int)load(&f.all, relaxed);
}
