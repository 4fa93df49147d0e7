/* Atomics of 1, 2, 4 and 8 bytes, and their wrapping around.
 * expect sc,tso,ra,rc11: verified, executions 1
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t one = 255;
static _Atomic uint16_t two = 65535;
static _Atomic uint32_t four = UINT32_MAX;
static _Atomic uint64_t eight = UINT64_MAX;
static _Atomic int8_t small = -1;
static atomic_bool yes;

int main(void)
{
	assert(atomic_fetch_add(&one, 2) == 255 && one == 1);
	assert(atomic_fetch_add(&two, 2) == 65535 && two == 1);
	assert(atomic_fetch_add(&four, 2) == UINT32_MAX && four == 1);
	assert(atomic_fetch_add(&eight, 2) == UINT64_MAX && eight == 1);
	assert(atomic_fetch_sub(&small, 1) == -1 && small == -2);
	assert(!atomic_exchange(&yes, 1) && yes);
	return 0;
}
