/* A lock that spins within one piece of inline assembly.
 * processors: x86-64
 * expect sc,tso,ra,rc11: verified
 * expect sc,rc11 -- -DFORGOTTEN: violation liveness
 * expect sc,rc11 -- -DUNLOCKED: violation race at BUG
 */
#include "../parallel.h"

static volatile int lock;
static int count;

static void acquire_lock(void)
{
	int taken = 1;

	__asm__ volatile("1:\n\t"
			 "xchg %[lock], %[taken]\n\t"
			 "test %[taken], %[taken]\n\t"
			 "jz 3f\n\t"
			 "2:\n\t"
			 "pause\n\t"
			 "cmpl $0, %[lock]\n\t"
			 "jnz 2b\n\t"
			 "jmp 1b\n\t"
			 "3:"
			 : [lock] "=m"(lock), [taken] "=q"(taken)
			 : "[taken]"(taken)
			 : "memory");
}

static void release_lock(void)
{
#ifndef FORGOTTEN
	__asm__ volatile("movl $0, %0" : "=m"(lock) : : "memory");
#endif
}

static void work(void)
{
#ifndef UNLOCKED
	acquire_lock();
#endif
	count++; /* BUG */
	release_lock();
}

int main(void)
{
	parallel(work, work, work);
	assert(count == 3);
	return 0;
}
