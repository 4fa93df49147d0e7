/* client.S -- include/linchpin/main.c, compiled when linchpin was: it is the same for every
 * object, and to compile it anew costs as much as many an object itself. */
	.section .rodata
	.globl	lp_client_object, lp_client_object_end
	.hidden	lp_client_object, lp_client_object_end
	.type	lp_client_object, %object
	.type	lp_client_object_end, %object
lp_client_object:
	.incbin	"linchpin-main.o"
lp_client_object_end:
	.size	lp_client_object, . - lp_client_object

	.section .note.GNU-stack, "", %progbits
