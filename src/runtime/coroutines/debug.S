/* debug.S -- where a thread lands that goes on under a debugger (debug.h).
 *
 * At lp_debug_here everything is as if the suspended function had just called it, and what
 * it does is return there.
 */
	.text
	.globl	lp_debug_landing
	.hidden	lp_debug_landing
	.globl	lp_debug_here
	.hidden	lp_debug_here
	.p2align 4

#if defined(__x86_64__)
	.type	lp_debug_landing, @function
lp_debug_landing:
	movq	lp_debug_address(%rip), %rcx
	pushq	%rcx
	.size	lp_debug_landing, .-lp_debug_landing
	.type	lp_debug_here, @function
lp_debug_here:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	lp_debug_here, .-lp_debug_here

#elif defined(__aarch64__)
	.type	lp_debug_landing, %function
lp_debug_landing:
	adrp	x30, lp_debug_address
	ldr	x30, [x30, #:lo12:lp_debug_address]
	.size	lp_debug_landing, .-lp_debug_landing
	.type	lp_debug_here, %function
lp_debug_here:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	lp_debug_here, .-lp_debug_here
#endif

	.section .note.GNU-stack, "", %progbits
