/* assembly_parts.h -- what the parsers of inline assembly share (assembly.h).
 *
 * A parser goes through the statements in order, as the machine would, and keeps for each
 * register which of its bytes have a value, and which value that is: two registers with the same
 * `id` are equal.  Ids are how loops of exclusive accesses are recognised.
 *
 * Registers 0 to 31 are the machine's, then comes one for each operand that may be in any
 * register, then two of our own.
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
	LP_ASM_REFERENCE = 1,         /* in normalised code: then 0x80 + operand, then a modifier or _ */
};

struct lp_asm_register {
	uint8_t known;        /* the low bytes that have a value */
	bool input, output, clobbered;
	bool early;           /* no input shares the register */
	bool tied;            /* the register is explicitly both input and output */
	bool written;
	uint16_t id;
};

/* How the value with an id was made: a op b, or op a.  At most one of the two is a number, which
 * has no id. */
struct lp_asm_definition {
	uint8_t op, size;
	uint16_t a, b;        /* ids; 0: the number */
	int64_t number;
};

struct lp_asm_statement {
	uint32_t label;       /* numeric label before it, or 0; only the last one counts */
	bool labelled_twice;
	char *word;           /* "" at the end of the code */
	char *rest;           /* the operands, or "" */
};

enum lp_asm_arg_kind { LP_ASM_ARG_REGISTER, LP_ASM_ARG_NUMBER, LP_ASM_ARG_MEMORY };

struct lp_asm_arg {
	uint8_t kind;         /* enum lp_asm_arg_kind */
	uint8_t size;         /* the size of the register, or of the memory where the text gives it; else 0 */
	uint8_t operand;      /* the operand that the argument refers to, or LP_ASM_NONE */
	struct lp_asm_value value;
	struct lp_asm_place memory;
};

enum { LP_ASM_IDS = 256 };

/* By register: is it read before the loop has written it, is it written? */
struct lp_asm_loop {
	bool read[LP_ASM_REGISTERS], written[LP_ASM_REGISTERS];
};

/* By statement, if jumps go there: what is known of each register, on the ways that have been seen. */
struct lp_asm_meeting {
	bool targeted, reached;
	uint8_t known[LP_ASM_REGISTERS];
};

struct lp_asm_parser {
	const struct lp_asm_text *text;
	struct lp_asm *out;
	bool failed;
	bool cc;              /* flags are clobbered */
	struct lp_asm_register regs[LP_ASM_REGISTERS];
	struct lp_asm_definition defined[LP_ASM_IDS];
	struct lp_asm_definition compared; /* by the last comparison */
	struct lp_asm_loop *loop;          /* that is being read, or NULL */
	uint16_t ids;
	uint8_t flag_from[3]; /* by flag: the step that set it, or LP_ASM_NONE */
	/* An output was written that an input's value or address may share a register with; in
	 * this statement, and before it. */
	bool values_now, addresses_now, values_lost, addresses_lost;
	bool unreached;       /* after a jump that is always taken */
	struct lp_asm_meeting meetings[LP_ASM_LABELS];
	struct lp_asm_step nowhere; /* for steps when there is no room */
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

/* The number of the machine's register, and its size; or LP_ASM_NONE.  The name may be that of
 * a constraint: "ax" is the register in all its sizes, and has size 0. */
uint8_t lp_asm_x86_register(const char *name, uint8_t *size);
uint8_t lp_asm_arm_register(const char *name, uint8_t *size);

/* Splits the text at commas outside of brackets, and trims the pieces.  Returns their number, or -1 if there are too many. */
int lp_asm_split(char *rest, char *args[LP_ASM_ARGS]);

/* Parses a text that consists of a number only. */
bool lp_asm_number(const char *text, int64_t *number);

/* ---- steps ---- */

/* Where a result goes: to the low bytes of a register, of which the others become 0, or stay if it `merges`. */
struct lp_asm_result {
	uint8_t reg, size;
	bool merges;
};

/* Reads the low bytes of a register or a number; writes the low bytes of a register. */
bool lp_asm_use(struct lp_asm_parser *, struct lp_asm_value, uint8_t size);
bool lp_asm_give(struct lp_asm_parser *, struct lp_asm_result);

/* Appends a step.  The result is never NULL. */
struct lp_asm_step *lp_asm_step(struct lp_asm_parser *, enum lp_asm_step_kind);

/* Is the access allowed by constraints and clobbers?  Uses the address. */
bool lp_asm_touch(struct lp_asm_parser *, const struct lp_asm_place *, uint8_t size, bool reads,
		  bool writes);
bool lp_asm_fence(struct lp_asm_parser *, enum lp_order);

/* result = a op b.  The flags are those of the step that is returned, if the caller says so. */
struct lp_asm_step *lp_asm_set(struct lp_asm_parser *, struct lp_asm_result, enum lp_asm_op, struct lp_asm_value a,
			       struct lp_asm_value b);
bool lp_asm_get_flag(struct lp_asm_parser *, struct lp_asm_result, enum lp_asm_flag, bool negated);

struct lp_asm_definition lp_asm_definition(const struct lp_asm_parser *, enum lp_asm_op, uint8_t size,
					   struct lp_asm_value a, struct lp_asm_value b);

uint16_t lp_asm_new_id(struct lp_asm_parser *);

/* "eq", "nz", ...: the flag, and whether it is negated. */
bool lp_asm_x86_condition(const char *name, uint8_t *flag, bool *negated);

/* ---- machines ---- */

bool lp_asm_x86(struct lp_asm_parser *);
bool lp_asm_arm(struct lp_asm_parser *);
/* A loop of exclusive accesses begins at *i, which becomes its last statement. */
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
