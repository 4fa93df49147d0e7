/* A register that is written by a variadic function: while it waits, the value is no value of its frame.  JUMPS:
 * by what setjmp() comes back to, where no path leads to the use of it.  BUG: what was read is written back. */
#include <linchpin.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>

static atomic_long word;

LP_SPEC("register")

#ifdef JUMPS
static __attribute__((noinline, noreturn)) void look_and_jump(jmp_buf place)
{
	atomic_load(&word);
	longjmp(place, 1);
}

static __attribute__((noinline)) void put(int count, long value)
{
	jmp_buf place;
	volatile long kept = value;

	if (!setjmp(place))
		look_and_jump(place);
	atomic_store(&word, kept + 0 * count);
}
#else
static __attribute__((noinline)) void put(int count, ...)
{
	long value = atomic_load(&word);
	va_list list;

	va_start(list, count);
#ifndef BUG
	while (count-- > 0)
		value = va_arg(list, long);
#endif
	va_end(list);
	atomic_store(&word, value);
}
#endif

LP_METHOD(write, value)
{
	put(1, (long)value);
	return LP_VOID;
}

LP_METHOD(read)
{
	return atomic_load(&word);
}
