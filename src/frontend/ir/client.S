/* client.S -- include/linchpin/main.c as bitcode.  It is the same for every object, so it is compiled when linchpin is built. */
	.section .rodata
	.globl	lp_client_bitcode, lp_client_bitcode_end
	.hidden	lp_client_bitcode, lp_client_bitcode_end
	.type	lp_client_bitcode, %object
	.type	lp_client_bitcode_end, %object
lp_client_bitcode:
	.incbin	"linchpin-main.bc"
lp_client_bitcode_end:
	.size	lp_client_bitcode, . - lp_client_bitcode

	.section .note.GNU-stack, "", %progbits
