/* library.S -- src/frontend/library as bitcode: a pair of addresses for each file, then a pair of zeros. */
	.macro	part name
	.section .rodata
\name\()_begin:
	.incbin	"library-\name\().bc"
\name\()_end:
	.section .data.rel.ro, "aw", %progbits
	.quad	\name\()_begin, \name\()_end
	.endm

	.globl	lp_library_bitcode
	.hidden	lp_library_bitcode
	.type	lp_library_bitcode, %object
	.section .data.rel.ro, "aw", %progbits
	.balign	8
lp_library_bitcode:
	part	new
	part	containers
	part	exceptions
	part	memory_resource
	part	support
	part	wide
	.quad	0, 0
	.size	lp_library_bitcode, . - lp_library_bitcode

	.section .note.GNU-stack, "", %progbits
