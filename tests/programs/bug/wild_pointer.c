/* The access is blamed, not the call of the function that it is in, nor an access before it.
 * expect sc,rc11: violation crash at BUG
 */
#include <stdint.h>

static volatile uintptr_t somewhere = 0x123456789000;

static __attribute__((noinline)) int read_it(void)
{
	const int *p = (const int *)somewhere;

	return *p + 1; /* BUG */
}

static __attribute__((noinline)) int twice(void)
{
	return read_it() * 2;
}

int main(void)
{
	return twice();
}
