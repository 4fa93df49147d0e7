/* assembly_arm.h -- one instruction of aarch64, with its operands. */
#ifndef LP_FRONTEND_ASSEMBLY_ASSEMBLY_ARM_H
#define LP_FRONTEND_ASSEMBLY_ASSEMBLY_ARM_H

#include "frontend/assembly/assembly_parts.h"

struct lp_asm_arm {
	struct lp_asm_parser *p;
	const char *word;     /* the name of the instruction */
	int count;            /* the number of operands */
	char *texts[LP_ASM_ARGS];
	struct lp_asm_arg args[LP_ASM_ARGS];
	char text[80];        /* for messages */
};

/* The suffix of an atomic access: "al" and "b" in ldaddalb. */
struct lp_asm_arm_suffix {
	bool acquires, releases;
	uint8_t size;         /* 1 or 2; 0: the size of the registers */
};

/* Starts to parse statement number `statement`: splits its operands.  Returns false if there are too many. */
bool lp_asm_arm_begin(struct lp_asm_parser *, uint32_t statement, struct lp_asm_arm *);
/* Records that the instruction is not understood.  Returns false. */
bool lp_asm_arm_refuse(const struct lp_asm_arm *);
/* Reads the operands: registers, numbers and memory.  Returns false if an operand is something else. */
bool lp_asm_arm_args(struct lp_asm_arm *);
/* Returns the size of the registers among the first `count` operands.  Returns 0 if these registers differ in size, or if one of
 * the operands is neither a register nor a number. */
uint8_t lp_asm_arm_values(const struct lp_asm_arm *, int count);

/* Parses a suffix: "al", "lb", "h", ...  Returns false if the text is not a suffix. */
bool lp_asm_arm_suffix(const char *text, struct lp_asm_arm_suffix *);
enum lp_order lp_asm_arm_order(const struct lp_asm_parser *, bool acquires, bool releases);

/* Pure instructions use only registers.  lp_asm_arm_is_pure(): is the instruction with that name pure?  lp_asm_arm_pure() adds the
 * steps of a pure instruction. */
bool lp_asm_arm_is_pure(const char *word);
bool lp_asm_arm_pure(struct lp_asm_arm *);

#endif
