/* exports.S -- every shim, by name.
 *
 * Only the program that is loaded refers to shims: without this table the linker would leave out
 * the files that have no other use.
 */
	.section .data.rel.ro, "aw", %progbits
	.globl	rt_exports
	.hidden	rt_exports
	.type	rt_exports, %object
	.p2align 3
rt_exports:
#define LP_SHIM(name) .quad lp_shim_##name
#include "frontend/hooks.def"
#include "frontend/shims.def"
	.quad	lp_fence
	.size	rt_exports, .-rt_exports

	.section .note.GNU-stack, "", %progbits
