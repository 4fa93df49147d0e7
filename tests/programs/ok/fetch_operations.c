/* Every fetch-and-operation, and the C operators on atomics.
 * expect sc,rc11: verified, executions 1
 */
#include <assert.h>
#include <stdatomic.h>

static atomic_uint x = 12;
static unsigned y = 6;

int main(void)
{
	assert(atomic_fetch_and(&x, 10) == 12 && x == 8);
	assert(atomic_fetch_or(&x, 3) == 8 && x == 11);
	assert(atomic_fetch_xor(&x, 1) == 11 && x == 10);
	assert(atomic_fetch_sub(&x, 4) == 10 && x == 6);
	x = 5;
	x++;
	x *= 7;
	x -= 2;
	assert(x == 40);
	assert(__atomic_fetch_nand(&y, 2, __ATOMIC_SEQ_CST) == 6 && y == ~2u);
	assert(__atomic_add_fetch(&y, 3, __ATOMIC_RELAXED) == 0);
	return 0;
}
