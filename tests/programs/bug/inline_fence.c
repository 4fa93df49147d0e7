/* Store buffering, with fences of the processor's: those that linchpin knows are fences; with others,
 * what it finds is a suspicion.
 * processors: x86-64
 * expect sc,tso,ra,rc11: verified
 * expect sc,tso,ra,rc11 -- -DINTRINSIC: verified
 * expect sc,tso,ra,rc11 -- -DLOCKED: verified
 * expect rc11 -- -DBYTES: inconclusive, says "suspicion", says ".byte"
 * expect sc -- -DBYTES: inconclusive, says "inline_fence.c:"
 * expect rc11 -- -DWEAK: violation assertion at BUG
 * expect rc11 -- -DELSEWHERE: violation assertion at BUG
 * expect sc -- -DELSEWHERE: verified
 */
#include "../parallel.h"

static atomic_int x, y;
static int a, b;

static void full_fence(void)
{
#if defined INTRINSIC
	__builtin_ia32_mfence();
#elif defined BYTES
	__asm__ volatile(".byte 0x0f, 0xae, 0xf0" ::: "memory");
#elif defined LOCKED
	__asm__ volatile("lock; orl $0, (%%rsp)" ::: "memory", "cc");
#elif defined WEAK
	__asm__ volatile("lfence" ::: "memory");
#elif defined ELSEWHERE
	if (load(&x, relaxed) == 2) /* never */
		__asm__ volatile("hlt" ::: "memory");
#else
	__asm__ volatile("mfence" ::: "memory");
#endif
}

static void first(void)
{
	store(&x, 1, relaxed);
	full_fence();
	a = load(&y, relaxed);
}

static void second(void)
{
	store(&y, 1, relaxed);
	full_fence();
	b = load(&x, relaxed);
}

int main(void)
{
	parallel(first, second);
	assert(a || b); /* BUG */
	return 0;
}
