/* context.c -- the first frame of a new context; the switch is in context.S. */
#include "runtime/coroutines/context.h"

#include <stdint.h>

#include "base/error.h"

void lp_context_begin(void); /* context.S */

#if defined(__x86_64__)
/* What lp_context_switch() pops: r15 r14 r13 r12 rbx rbp, return address.
 * entry() travels in rbx; the others begin as whatever the stack holds. */
enum { WORDS = 7, ENTRY = 4, ADDRESS = 6 };
#elif defined(__aarch64__)
/* x19..x28, x29, x30 (the return address), d8..d15; entry() travels in x19. */
enum { WORDS = 20, ENTRY = 0, ADDRESS = 11 };
#else
#error "linchpin runs on x86-64 and aarch64"
#endif

void **lp_context_address(void *context)
{
	LP_HOLDS(context && (uintptr_t)context % sizeof(void *) == 0);
	return (void **)context + ADDRESS;
}

void *lp_context_prepare(void *top, void (*entry)(void))
{
	uint64_t *frame = (uint64_t *)top - WORDS;

	LP_HOLDS((uintptr_t)top % 16 == 0 && entry);
	frame[ENTRY] = (uint64_t)(uintptr_t)entry;
	frame[ADDRESS] = (uint64_t)(uintptr_t)lp_context_begin;
	return frame;
}
