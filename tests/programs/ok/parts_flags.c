/* Flags of a byte each, set one by one, and read together as a word.
 * expect sc,tso,ra,rc11: verified
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	_Atomic uint32_t all;
	_Atomic uint8_t flag[4];
} f;
static int data[2];

static void first(void)
{
	data[0] = 1;
	store(&f.flag[0], 1, release);
}

static void second(void)
{
	data[1] = 1;
	store(&f.flag[3], 1, release);
}

static void reader(void)
{
	const uint32_t all = load(&f.all, acquire);

	if (all & 0xff)
		assert(data[0]);
	if (all >> 24)
		assert(data[1]);
}

int main(void)
{
	parallel(first, second, reader);
	assert(load(&f.all, relaxed) == 0x01000001);
	return 0;
}
