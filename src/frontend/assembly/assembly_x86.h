/* assembly_x86.h -- one instruction of x86-64, with its operands. */
#ifndef LP_FRONTEND_ASSEMBLY_ASSEMBLY_X86_H
#define LP_FRONTEND_ASSEMBLY_ASSEMBLY_X86_H

#include "frontend/assembly/assembly_parts.h"

enum { LP_ASM_AX, LP_ASM_CX, LP_ASM_DX, LP_ASM_BX, LP_ASM_SP };

struct lp_asm_x86 {
	struct lp_asm_parser *p;
	const char *text;     /* for messages */
	bool lock;
	uint8_t size;         /* the size that the suffix gives; 0 if there is no suffix */
	int count;            /* the number of operands */
	struct lp_asm_arg args[LP_ASM_ARGS]; /* in AT&T's order: the destination is the last one */
};

/* Records that the instruction is not understood.  Returns false. */
bool lp_asm_x86_refuse(const struct lp_asm_x86 *);
bool lp_asm_x86_args(struct lp_asm_x86 *, char *rest);
/* Sets the size of the instruction to that of the suffix; without a suffix, to that of the registers, which must all
 * have the same size. */
bool lp_asm_x86_settle_size(struct lp_asm_x86 *);

/* ---- assembly_x86_jumps.c ---- */

/* Finds the targets of jumps.  To be called before the first statement. */
bool lp_asm_x86_find_targets(struct lp_asm_parser *);
/* To be called before statement `i`, and at the end of the code.  If the statement is the target of jumps, only those registers
 * remain known that are known on all paths to it.  Returns false if no path leads to the statement. */
bool lp_asm_x86_reach(struct lp_asm_parser *, uint32_t i);
/* Parses a jump in statement `i`, such as "jz 1b". */
bool lp_asm_x86_jump(struct lp_asm_x86 *, uint32_t i, const char *word, const char *to);

#endif
