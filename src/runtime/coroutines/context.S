/* context.S -- the switch of context.h, for x86-64 and aarch64.
 *
 * x86-64 goes on by an indirect jump, not by ret: the processor predicts a ret
 * to return to the caller of this function, and after a switch that is wrong
 * every time, whereas the jump has only two or three targets in all.
 */
#if defined(__x86_64__)

	.text
	.globl	lp_context_switch
	.hidden	lp_context_switch
	.type	lp_context_switch, @function
	.p2align 4
lp_context_switch:
	.cfi_startproc
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	popq	%rcx
	jmp	*%rcx
	.cfi_endproc
	.size	lp_context_switch, .-lp_context_switch

	.globl	lp_context_leave
	.hidden	lp_context_leave
	.type	lp_context_leave, @function
	.p2align 4
lp_context_leave:
	cld
	movq	%rdi, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	popq	%rcx
	jmp	*%rcx
	.size	lp_context_leave, .-lp_context_leave

	.globl	lp_context_begin
	.hidden	lp_context_begin
	.type	lp_context_begin, @function
	.p2align 4
lp_context_begin:
	.cfi_startproc
	.cfi_undefined rip
	xorl	%ebp, %ebp
	call	*%rbx
	ud2
	.cfi_endproc
	.size	lp_context_begin, .-lp_context_begin

#elif defined(__aarch64__)

	.text
	.globl	lp_context_switch
	.hidden	lp_context_switch
	.type	lp_context_switch, %function
	.p2align 4
lp_context_switch:
	stp	d14, d15, [sp, #-16]!
	stp	d12, d13, [sp, #-16]!
	stp	d10, d11, [sp, #-16]!
	stp	d8, d9, [sp, #-16]!
	stp	x29, x30, [sp, #-16]!
	stp	x27, x28, [sp, #-16]!
	stp	x25, x26, [sp, #-16]!
	stp	x23, x24, [sp, #-16]!
	stp	x21, x22, [sp, #-16]!
	stp	x19, x20, [sp, #-16]!
	mov	x9, sp
	str	x9, [x0]
	mov	x0, x1
	b	lp_context_leave
	.size	lp_context_switch, .-lp_context_switch

	.globl	lp_context_leave
	.hidden	lp_context_leave
	.type	lp_context_leave, %function
	.p2align 4
lp_context_leave:
	mov	sp, x0
	ldp	x19, x20, [sp], #16
	ldp	x21, x22, [sp], #16
	ldp	x23, x24, [sp], #16
	ldp	x25, x26, [sp], #16
	ldp	x27, x28, [sp], #16
	ldp	x29, x30, [sp], #16
	ldp	d8, d9, [sp], #16
	ldp	d10, d11, [sp], #16
	ldp	d12, d13, [sp], #16
	ldp	d14, d15, [sp], #16
	br	x30
	.size	lp_context_leave, .-lp_context_leave

	.globl	lp_context_begin
	.hidden	lp_context_begin
	.type	lp_context_begin, %function
	.p2align 4
lp_context_begin:
	mov	x29, #0
	mov	x30, #0
	blr	x19
	brk	#1
	.size	lp_context_begin, .-lp_context_begin

#endif

	.section .note.GNU-stack, "", %progbits
