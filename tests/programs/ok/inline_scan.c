/* The number of the highest bit, by an instruction: the size of a ring, as libraries compute it.
 * processors: x86-64
 * expect sc,rc11: verified
 */
#include "../parallel.h"

static atomic_int ring[8];

static unsigned long highest_bit(unsigned long x)
{
	unsigned long number;

	__asm__ volatile("bsrq %1, %0 ;" : "=a"(number) : "r"(x) : "cc");
	return number;
}

static unsigned long lowest_bit(unsigned long x)
{
	unsigned long number;

	__asm__("bsfq %1, %0" : "=r"(number) : "r"(x) : "cc");
	return number;
}

static void work(void)
{
	const unsigned long size = 1ul << highest_bit(13);

	assert(size == 8 && lowest_bit(40) == 3);
	fetch_add(&ring[size - 1], 1, relaxed);
}

int main(void)
{
	parallel(work, work);
	assert(ring[7] == 2);
	return 0;
}
