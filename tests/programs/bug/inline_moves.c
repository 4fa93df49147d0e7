/* Message passing by instructions of x86-64, which keeps loads in order, and stores.  The compiler does so
 * only if "memory" is clobbered.
 * processors: x86-64
 * expect sc,tso,ra,rc11: verified
 * expect sc,tso,ra,rc11 -- -DFENCES: verified
 * expect sc,tso,ra,rc11 -- -DINTRINSICS: verified
 * expect rc11 -- -DUNORDERED: violation race at BUG
 * expect rc11 -- -DBUFFERED: violation assertion at BUFFERED
 */
#include <immintrin.h>

#include "../parallel.h"

static int data, seen, a, b;
static atomic_int flag, other;

#if defined FENCES || defined INTRINSICS
static void set(atomic_int *x)
{
#ifdef FENCES
	__asm__ volatile("sfence" ::: "memory");
#else
	_mm_sfence();
#endif
	store(x, 1, relaxed);
}

static int get(atomic_int *x)
{
	const int value = load(x, relaxed);
#ifdef FENCES
	__asm__ volatile("lfence" ::: "memory");
#else
	_mm_lfence();
#endif
	return value;
}
#else
#ifdef UNORDERED
#define CLOBBERS
#else
#define CLOBBERS : "memory"
#endif

static void set(atomic_int *x)
{
	__asm__ volatile("movl $1, %0" : "=m"(*x) : CLOBBERS);
}

static int get(atomic_int *x)
{
	int value;

	__asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*x) CLOBBERS);
	return value;
}
#endif

static void writer(void)
{
	data = 42; /* BUG */
	set(&flag);
}

static void reader(void)
{
	if (get(&flag))
		seen = data; /* BUG */
	else
		seen = 42;
}

static void first(void)
{
	set(&flag);
	a = get(&other);
}

static void second(void)
{
	set(&other);
	b = get(&flag);
}

int main(void)
{
#ifdef BUFFERED
	parallel(first, second);
	assert(a || b); /* BUFFERED */
#else
	(void)first, (void)second;
	parallel(writer, reader);
	assert(seen == 42);
#endif
	return 0;
}
