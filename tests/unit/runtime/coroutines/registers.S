/* registers.S -- unsigned hold(void **from, void *to, uint64_t pattern): fills every register that a
 * function must preserve with pattern + its number, switches to `to` (context.h), and returns how
 * many of them hold something else when it goes on.
 */
	.text
	.globl	hold
	.p2align 4

#if defined(__x86_64__)
	.type	hold, @function
hold:
	.cfi_startproc
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	pushq	%rdx
	leaq	1(%rdx), %rbp
	leaq	2(%rdx), %rbx
	leaq	3(%rdx), %r12
	leaq	4(%rdx), %r13
	leaq	5(%rdx), %r14
	leaq	6(%rdx), %r15
	call	lp_context_switch
	popq	%rdx
	xorl	%eax, %eax
	.macro	compare register, number
	leaq	\number(%rdx), %rcx
	cmpq	%rcx, \register
	setne	%cl
	movzbl	%cl, %ecx
	addl	%ecx, %eax
	.endm
	compare	%rbp, 1
	compare	%rbx, 2
	compare	%r12, 3
	compare	%r13, 4
	compare	%r14, 5
	compare	%r15, 6
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
	.cfi_endproc
	.size	hold, .-hold

#elif defined(__aarch64__)
	.type	hold, %function
hold:
	stp	x29, x30, [sp, #-176]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	stp	d8, d9, [sp, #96]
	stp	d10, d11, [sp, #112]
	stp	d12, d13, [sp, #128]
	stp	d14, d15, [sp, #144]
	str	x2, [sp, #160]
	.irp	n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
	add	x\n, x2, #\n
	.endr
	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	add	x9, x2, #\n
	fmov	d\n, x9
	.endr
	bl	lp_context_switch
	ldr	x2, [sp, #160]
	mov	w0, #0
	.irp	n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
	add	x9, x2, #\n
	cmp	x\n, x9
	cinc	w0, w0, ne
	.endr
	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	add	x9, x2, #\n
	fmov	x10, d\n
	cmp	x10, x9
	cinc	w0, w0, ne
	.endr
	ldp	d14, d15, [sp, #144]
	ldp	d12, d13, [sp, #128]
	ldp	d10, d11, [sp, #112]
	ldp	d8, d9, [sp, #96]
	ldp	x27, x28, [sp, #80]
	ldp	x25, x26, [sp, #64]
	ldp	x23, x24, [sp, #48]
	ldp	x21, x22, [sp, #32]
	ldp	x19, x20, [sp, #16]
	ldp	x29, x30, [sp], #176
	ret
	.size	hold, .-hold
#endif

	.section .note.GNU-stack, "", %progbits
