/* context.h -- switches between stacks without a system call.
 *
 * A suspended context is one word, its stack pointer: the callee-saved registers
 * and the address at which it continues are on its stack.  Floating-point control
 * words are not switched; the program under test is assumed not to change them.
 */
#ifndef LP_RUNTIME_CONTEXT_H
#define LP_RUNTIME_CONTEXT_H

/* Suspends the caller, storing its stack pointer in `*from`, and continues in `to`.
 * Returns when control is switched back. */
void lp_context_switch(void **from, void *to);

/* Continues in `to` and never returns; the caller's stack is abandoned.  Also
 * called from signal handlers. */
_Noreturn void lp_context_leave(void *to);

/* Prepares a context on an empty stack that ends at `top` (aligned to 16): the
 * first switch to it calls entry(), which must not return. */
void *lp_context_prepare(void *top, void (*entry)(void));

/* The place where a suspended context stores the address at which it continues. */
void **lp_context_address(void *context);

#endif
