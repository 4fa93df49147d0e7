/* enter.S -- where the user's code enters ours: every hook and every shim.
 *
 * On the way it notes down the registers that the call must preserve, as they
 * are now and will be when it returns: the thread's live state is computed from
 * them (live.c).  By the time a thread waits they would be scattered over frames
 * of ours.  r10 and r11 are free at a function's entry; rax is not, it counts the
 * floating-point arguments of printf.  And it counts: whether a thread has asked for
 * anything at all is seen here (rt_noise).
 */
#if defined(__x86_64__)
	.macro	enter name, target
	.globl	\name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
	incq	rt_entries(%rip)
	movq	rt_entry(%rip), %r11
	movq	(%rsp), %r10
	movq	%r10, 0(%r11)
	leaq	8(%rsp), %r10
	movq	%r10, 8(%r11)
	movq	%rbx, 16(%r11)
	movq	%rbp, 24(%r11)
	movq	%r12, 32(%r11)
	movq	%r13, 40(%r11)
	movq	%r14, 48(%r11)
	movq	%r15, 56(%r11)
	jmp	\target
	.cfi_endproc
	.size	\name, .-\name
	.endm
#elif defined(__aarch64__)
	.macro	enter name, target
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	b	\target
	.size	\name, .-\name
	.endm
#endif

	.text
#define LP_HOOK(name) enter __tsan_##name, lp_hook_##name
#define LP_SHIM(name) enter lp_enter_##name, lp_shim_##name
#include "runtime/tsan.def"
#include "runtime/hooks.def"
#include "runtime/shims.def"

	.section .note.GNU-stack, "", %progbits
