/* assembly_parts.h -- the common part of the parsers of inline assembly (assembly.h).
 *
 * A parser goes through the statements in order, as the machine would.  For each register it records how many of the low bytes
 * have a known value, and an `id` of the value: registers with the same id have equal values.  Ids are needed to recognise loops of
 * exclusive accesses (assembly_arm_loop.c).
 *
 * Registers 0 to 31 are those of the machine.  The next ones, from LP_ASM_OPERAND_REGISTER on, stand for the operands, one for
 * each; they are used for operands that may be in any register.  The last two are for the parser's own use.
 */
#ifndef LP_FRONTEND_ASSEMBLY_ASSEMBLY_PARTS_H
#define LP_FRONTEND_ASSEMBLY_ASSEMBLY_PARTS_H

#include "frontend/assembly/assembly.h"

enum {
	LP_ASM_OPERAND_REGISTER = 32, /* the register of operand 0 */
	LP_ASM_SPARE = 62,            /* 62 and 63 are our own registers */
	LP_ASM_STATEMENTS = 40,
	LP_ASM_ARGS = 6,
	LP_ASM_CODE = 2000,
	LP_ASM_REFERENCE = 1,         /* In normalised code (assembly_text.c), a reference to an operand has three bytes: this one;
				       * 0x80 + the operand's number; and the modifier, or _ */
};

struct lp_asm_register {
	uint8_t known;        /* how many of the low bytes have a known value */
	bool input, output, clobbered;
	bool early;           /* an output with "&": no input shares the register */
	bool tied;            /* the constraints say that the register is both input and output */
	bool written;
	uint16_t id;
};

/* How a value that has an id was computed: a op b, or op a.  a and b are ids, or one of them is a number, which has no id. */
struct lp_asm_definition {
	uint8_t op, size;
	uint16_t a, b;        /* ids; 0: this operand is `number` */
	int64_t number;
};

struct lp_asm_statement {
	uint32_t label;       /* the last numeric label before the statement, or 0 */
	bool labelled_twice;
	char *word;           /* "" at the end of the code */
	char *rest;           /* the operands, or "" */
};

enum lp_asm_arg_kind { LP_ASM_ARG_REGISTER, LP_ASM_ARG_NUMBER, LP_ASM_ARG_MEMORY };

struct lp_asm_arg {
	uint8_t kind;         /* enum lp_asm_arg_kind */
	uint8_t size;         /* the size of the register, or of the memory where the text gives it; else 0 */
	uint8_t operand;      /* the operand of the template that the argument refers to, or LP_ASM_NONE */
	struct lp_asm_value value;
	struct lp_asm_place memory;
};

enum { LP_ASM_IDS = 256 };

/* For each register: does the loop read it before writing it?  Does the loop write it? */
struct lp_asm_loop {
	bool read[LP_ASM_REGISTERS], written[LP_ASM_REGISTERS];
};

/* What is known at a statement that is the target of jumps.  `targeted`: there are such jumps.  `reached`: a path to the statement
 * was found.  `known`: for each register, the least number of known bytes on all paths so far. */
struct lp_asm_meeting {
	bool targeted, reached;
	uint8_t known[LP_ASM_REGISTERS];
};

struct lp_asm_parser {
	const struct lp_asm_text *text;
	struct lp_asm *out;
	bool failed;
	bool cc;              /* the assembly clobbers the flags */
	struct lp_asm_register regs[LP_ASM_REGISTERS];
	struct lp_asm_definition defined[LP_ASM_IDS];
	struct lp_asm_definition compared; /* the operands of the last comparison */
	struct lp_asm_loop *loop;          /* the loop that is being parsed, or NULL */
	uint16_t ids;
	uint8_t flag_from[3]; /* for each flag the step that has set it; LP_ASM_NONE: not known */
	/* An output was written whose register may also be that of an input (values_*), or that of the address of a memory operand
	 * (addresses_*).  *_now: it was written in this statement or an earlier one; *_lost: in an earlier one. */
	bool values_now, addresses_now, values_lost, addresses_lost;
	bool unreached;       /* the current statement follows a jump that is always taken */
	struct lp_asm_meeting meetings[LP_ASM_LABELS]; /* for each statement */
	struct lp_asm_step nowhere; /* what lp_asm_step() returns if there is no room for another step */
	uint32_t statement_count;
	struct lp_asm_statement statements[LP_ASM_STATEMENTS + 1];
	char code[LP_ASM_CODE];
};

/* Records why the text is not understood; only the first reason is kept.  Returns false. */
bool lp_asm_refuse(struct lp_asm_parser *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Reads the constraints, and the code as statements. */
bool lp_asm_constraints(struct lp_asm_parser *);
bool lp_asm_statements(struct lp_asm_parser *);

/* Returns the number of a register of the machine, and sets its size; LP_ASM_NONE if there is no such register.
 * A name in a constraint, such as "ax", stands for the register in all its sizes, and has size 0. */
uint8_t lp_asm_x86_register(const char *name, uint8_t *size);
uint8_t lp_asm_arm_register(const char *name, uint8_t *size);

/* Splits the text at commas outside of brackets, and trims the pieces.  Returns their number, or -1 if there are too many. */
int lp_asm_split(char *rest, char *args[LP_ASM_ARGS]);

/* Parses a text that must consist of a number only. */
bool lp_asm_number(const char *text, int64_t *number);

/* ---- steps ---- */

/* The destination of a result: the low bytes of a register.  If `merges`, the other bytes keep their values; otherwise they become
 * 0. */
struct lp_asm_result {
	uint8_t reg, size;
	bool merges;
};

/* lp_asm_use() records that the low `size` bytes of a value are read; lp_asm_give() records that a result is written.  They return
 * false if this is not allowed, for example because the register that is read has no known value. */
bool lp_asm_use(struct lp_asm_parser *, struct lp_asm_value, uint8_t size);
bool lp_asm_give(struct lp_asm_parser *, struct lp_asm_result);

/* Appends a step.  The result is never NULL. */
struct lp_asm_step *lp_asm_step(struct lp_asm_parser *, enum lp_asm_step_kind);

/* Do the constraints and clobbers allow an access to that place?  The function also records that the address is used. */
bool lp_asm_touch(struct lp_asm_parser *, const struct lp_asm_place *, uint8_t size, bool reads,
		  bool writes);
bool lp_asm_fence(struct lp_asm_parser *, enum lp_order);

/* Appends the step result = a op b.  The caller sets `flag_from` if the instruction changes the flags. */
struct lp_asm_step *lp_asm_set(struct lp_asm_parser *, struct lp_asm_result, enum lp_asm_op, struct lp_asm_value a,
			       struct lp_asm_value b);
bool lp_asm_get_flag(struct lp_asm_parser *, struct lp_asm_result, enum lp_asm_flag, bool negated);

struct lp_asm_definition lp_asm_definition(const struct lp_asm_parser *, enum lp_asm_op, uint8_t size,
					   struct lp_asm_value a, struct lp_asm_value b);

uint16_t lp_asm_new_id(struct lp_asm_parser *);

/* Parses a condition: "e", "nz", ...  Sets the flag on which it depends, and whether the flag is negated. */
bool lp_asm_x86_condition(const char *name, uint8_t *flag, bool *negated);

/* ---- machines ---- */

bool lp_asm_x86(struct lp_asm_parser *);
bool lp_asm_arm(struct lp_asm_parser *);
/* Parses a loop of exclusive accesses that begins at statement *i; sets *i to its last statement. */
bool lp_asm_arm_loop(struct lp_asm_parser *, uint32_t *i);

static inline struct lp_asm_result lp_asm_to(uint8_t reg, uint8_t size, bool merges)
{
	return (struct lp_asm_result){ .reg = reg, .size = size, .merges = merges };
}

static inline struct lp_asm_value lp_asm_in(uint8_t reg)
{
	return (struct lp_asm_value){ .reg = reg };
}

static inline struct lp_asm_value lp_asm_is(int64_t number)
{
	return (struct lp_asm_value){ .reg = LP_ASM_NONE, .number = number };
}

#endif
