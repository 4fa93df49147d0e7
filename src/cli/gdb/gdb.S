/* gdb.S -- the script that gdb is given, as it is. */
	.section .rodata
	.globl	lp_gdb_script
	.hidden	lp_gdb_script
	.type	lp_gdb_script, %object
lp_gdb_script:
	.incbin	"cli/gdb/linchpin.py"
	.byte	0
	.size	lp_gdb_script, . - lp_gdb_script

	.section .note.GNU-stack, "", %progbits
