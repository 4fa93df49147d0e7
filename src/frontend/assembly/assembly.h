/* assembly.h -- translates inline assembly into operations on memory.
 *
 *     "lock; xaddl $0,$1"  "=r,=*m,0,*m,~{memory},..."
 *
 *     fence sc;  $0 = add [$1], $0, 4 bytes, sc;  fence sc
 *
 * The parser knows the assembly that libraries write for atomic operations, on x86-64 and
 * aarch64: fences, locked instructions, loops of exclusive loads and stores, single loads and
 * stores, and the moves and flags around them; on x86-64 also comparisons, and jumps to numeric
 * labels, as in loops that spin.  The result is a list of steps on registers
 * and memory, which are executed in order except for jumps.  Other assembly is not understood.
 *
 * The parser is sound rather than complete.  A text is understood only if all of the following hold:
 *   - the parser knows every statement, with its operands and their sizes;
 *   - every register that is read has a value, and every register that is written is an output or
 *     a clobber;
 *   - after an output without "&" was written, no input is used, since the compiler may put both into the same register;
 *   - at a label, a register counts as known only if it is known on all paths to the label, and flags
 *     count as unknown;
 *   - memory that is accessed is an operand, or "memory" is clobbered;
 *   - a fence clobbers "memory".  Otherwise the compiler may move accesses across the fence;
 *   - assembly that accesses memory is volatile.  Otherwise the compiler may drop, move or repeat it.
 *
 * Orders.  An instruction gets the memory order of that C11 operation which compilers translate into this instruction.  On x86-64 a
 * locked instruction is a full barrier: fence, operation, fence, all sc.  A move from memory is an acquire load, a move to memory
 * is a release store.  lfence and sfence are acquire-release fences: on ordinary memory they order no more than x86-64 does anyway,
 * and for an acquire-release fence compilers emit no instruction at all.  These orders hold if "memory" is clobbered.  If it is
 * not, the compiler may move other accesses across the instruction; operations then get the order relaxed, and lfence and sfence
 * have no effect.  On aarch64 ldar, stlr and RMWs that both acquire and release are sc; "dmb ish" is an sc fence, and "dmb ishld"
 * an acquire fence.  "dmb ishst" is not understood, because no C11 fence is equivalent to it: it is weaker than a release fence,
 * but stronger than no fence.  On all machines, an empty template that clobbers "memory" only restricts the compiler.
 */
#ifndef LP_FRONTEND_ASSEMBLY_ASSEMBLY_H
#define LP_FRONTEND_ASSEMBLY_ASSEMBLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/order.h"

enum { LP_ASM_OPERANDS = 30, LP_ASM_STEPS = 40, LP_ASM_REGISTERS = 64, LP_ASM_LABELS = 41, LP_ASM_NONE = 255 };

enum lp_asm_target { LP_ASM_X86_64, LP_ASM_AARCH64 };

/* Inline assembly as LLVM represents it.  Operands are numbered as in the template: outputs, then
 * inputs. */
struct lp_asm_text {
	enum lp_asm_target target;
	const char *code, *constraints;
	bool is_volatile;
	bool intel;               /* operands in the order of Intel's syntax */
	const uint8_t *sizes;     /* for each operand its size in bytes; if the operand is indirect, the size of what it points to;
				   * 0: unknown */
	uint32_t size_count;
};

enum lp_asm_operand_kind {
	LP_ASM_OTHER,    /* a vector register or an address, which the template must not mention */
	LP_ASM_REGISTER, /* a register or a number: in both cases, a value */
	LP_ASM_MEMORY,
	LP_ASM_EITHER,   /* an indirect output, which the compiler may keep in a register until the end of the assembly */
	LP_ASM_FLAG_OUT, /* an output that says whether a condition holds */
	LP_ASM_LABEL,
};

struct lp_asm_operand {
	uint8_t kind;     /* enum lp_asm_operand_kind */
	uint8_t size;
	bool output, indirect, early;
	bool number;      /* may be an immediate */
	bool only_number; /* must be an immediate */
	uint8_t reg;      /* the number of its register (assembly_parts.h); LP_ASM_NONE: the operand is in memory */
	uint8_t tied;     /* for an input: the number of the output that has the same register; LP_ASM_NONE if there is none */
	uint8_t flag;     /* for FLAG_OUT: enum lp_asm_flag.  The condition is that the flag is set; if `negated`, that it is not
			   * set */
	bool negated;
	bool undefined;   /* an output whose value at the end is not known, so that the program must not use it */
	bool unchanged;   /* an output whose register was not written, so that it still has the value of its input */
};

enum lp_asm_flag { LP_ASM_ZERO, LP_ASM_CARRY, LP_ASM_SIGN };

enum lp_asm_op {
	LP_ASM_MOVE,      /* in an RMW: exchange */
	LP_ASM_ADD, LP_ASM_SUB, LP_ASM_AND, LP_ASM_OR, LP_ASM_XOR,
	LP_ASM_AND_NOT,
	LP_ASM_NOT, LP_ASM_NEG, LP_ASM_BSWAP,                   /* not in RMWs */
	LP_ASM_LOWEST_BIT, LP_ASM_HIGHEST_BIT,                  /* the number of the lowest or highest bit that is set in a; b if
								 * a is 0.  Not in RMWs */
	LP_ASM_BIT_SET, LP_ASM_BIT_RESET, LP_ASM_BIT_CHANGE,    /* in RMWs: a is the number of a bit */
};

struct lp_asm_value {
	uint8_t reg;      /* a register; LP_ASM_NONE: the value is `number` */
	int64_t number;
};

struct lp_asm_place {
	uint8_t operand;  /* a memory operand; LP_ASM_NONE: the address is in register `reg` */
	uint8_t reg;
	int64_t offset;   /* is added to the address */
};

enum lp_asm_step_kind {
	LP_ASM_FENCE,
	LP_ASM_LOAD,      /* to = memory */
	LP_ASM_STORE,     /* memory = a */
	LP_ASM_RMW,       /* to = memory, memory = memory op a */
	LP_ASM_CAS,       /* to = memory, if (memory == a) memory = b */
	LP_ASM_SET,       /* to = a op b, or op a */
	LP_ASM_GET_FLAG,  /* to = `flag`, as computed by step `from` */
	LP_ASM_IF_WROTE,  /* if the CAS in step `from` has written: to = a */
	LP_ASM_PLACE,     /* the target of jumps to `label`; each label occurs at most once */
	LP_ASM_JUMP,      /* jumps to `label` if step `from` sets `flag`; always, if `from` is LP_ASM_NONE */
};

struct lp_asm_step {
	uint8_t kind;              /* enum lp_asm_step_kind */
	uint8_t op;                /* enum lp_asm_op */
	uint8_t size;              /* in bytes; an access of 16 bytes has two halves of 8 bytes */
	uint8_t order, fail_order; /* enum lp_order */
	uint8_t to;                /* the register for the result, or LP_ASM_NONE */
	bool merges;               /* the bytes of `to` beyond `size` keep their values; if not set, they become zero */
	bool bit_string;           /* BIT_*: the number of the bit may exceed the operand's size; it then selects a bit of a later
				    * word */
	uint8_t flag;              /* enum lp_asm_flag */
	bool negated;              /* the step uses the negation of the flag */
	uint8_t from;              /* the index of an earlier step */
	uint8_t label;             /* below LP_ASM_LABELS */
	struct lp_asm_place memory;
	struct lp_asm_value a, b;
	uint8_t to_high;           /* accesses of 16 bytes: the register for the upper half */
	struct lp_asm_value a_high, b_high;
};

struct lp_asm {
	bool barrier;              /* "memory" is clobbered */
	uint32_t operand_count, step_count;
	struct lp_asm_operand operands[LP_ASM_OPERANDS];
	struct lp_asm_step steps[LP_ASM_STEPS]; /* if there are no steps, the assembly only moves inputs to
						 * outputs */
	char trouble[160];         /* why the text is not understood */
};

/* Returns whether the text is understood; if not, `trouble` has the reason. */
bool lp_asm_parse(const struct lp_asm_text *, struct lp_asm *);

#endif
