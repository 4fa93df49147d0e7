/* Store buffering, with fences that linchpin does not know: what it finds is a suspicion.
 * expect tso,rc11: inconclusive, says "suspicion", says "inline assembly ('mfence')"
 * expect rc11 -- -DINTRINSIC: inconclusive, says "suspicion", says "the instruction 'mfence'"
 * expect rc11 -- -DBYTES: inconclusive, says "suspicion", says ".byte"
 * expect rc11 --cc clang: inconclusive, says "suspicion", says "inline assembly ('mfence')"
 * expect rc11 --cc clang -- -DINTRINSIC: inconclusive, says "suspicion", says "the instruction 'mfence'"
 * expect sc: inconclusive, says "inline_fence.c:"
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
#elif defined ELSEWHERE
	if (load(&x, relaxed) == 2) /* never */
		__asm__ volatile("mfence" ::: "memory");
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
