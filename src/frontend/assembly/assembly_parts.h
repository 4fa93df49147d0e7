/* assembly_parts.h -- the common part of the parsers of inline assembly (assembly.h).
 *
 * A parser goes through the statements in order, as the machine would.  For each register it keeps which bytes
 * have a value, and an `id` of the value: two registers with the same id are equal.  With ids, the parser
 * recognises loops of exclusive accesses.
 *
 * Registers 0 to 31 are those of the machine.  After them, there is one for each operand that may be in any
 * register, and there are two for the parser's own use.
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
	LP_ASM_REFERENCE = 1,         /* begins a reference in normalised code; 0x80 + operand and a modifier,
				       * or _, follow */
};

struct lp_asm_register {
	uint8_t known;        /* the low bytes that have a value */
	bool input, output, clobbered;
	bool early;           /* no input shares the register */
	bool tied;            /* the register is explicitly both input and output */
	bool written;
	uint16_t id;
};

/* How the value with an id was computed: a op b, or op a.  At most one of a and b is a number, which has no
 * id. */
struct lp_asm_definition {
	uint8_t op, size;
	uint16_t a, b;        /* ids; 0: the number */
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
	uint8_t operand;      /* the operand that the argument refers to, or LP_ASM_NONE */
	struct lp_asm_value value;
	struct lp_asm_place memory;
};

enum { LP_ASM_IDS = 256 };

/* For each register: does the loop read it before writing it?  Does the loop write it? */
struct lp_asm_loop {
	bool read[LP_ASM_REGISTERS], written[LP_ASM_REGISTERS];
};

/* For each statement that is the target of a jump: what is known about each register on the paths so far. */
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
	struct lp_asm_definition compared; /* the operands of the last comparison */
	struct lp_asm_loop *loop;          /* the loop that is being parsed, or NULL */
	uint16_t ids;
	uint8_t flag_from[3]; /* for each flag the step that set it, or LP_ASM_NONE */
	/* An output was written, in this statement (_now) or before it (_lost), and an input's value, or the address of an
	 * input, may be in the same register. */
	bool values_now, addresses_now, values_lost, addresses_lost;
	bool unreached;       /* the current statement follows a jump that is always taken */
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

/* Returns the number of a register of the machine, and sets its size; LP_ASM_NONE if there is no such register.
 * A name in a constraint, such as "ax", stands for the register in all its sizes, and has size 0. */
uint8_t lp_asm_x86_register(const char *name, uint8_t *size);
uint8_t lp_asm_arm_register(const char *name, uint8_t *size);

/* Splits the text at commas outside of brackets, and trims the pieces.  Returns their number, or -1 if there are too many. */
int lp_asm_split(char *rest, char *args[LP_ASM_ARGS]);

/* Parses a text that consists of a number only. */
bool lp_asm_number(const char *text, int64_t *number);

/* ---- steps ---- */

/* The destination of a result: the low bytes of a register.  The other bytes become 0, or, if it `merges`, keep
 * their values. */
struct lp_asm_result {
	uint8_t reg, size;
	bool merges;
};

/* Reads the low bytes of a register or a number; writes the low bytes of a register. */
bool lp_asm_use(struct lp_asm_parser *, struct lp_asm_value, uint8_t size);
bool lp_asm_give(struct lp_asm_parser *, struct lp_asm_result);

/* Appends a step.  The result is never NULL. */
struct lp_asm_step *lp_asm_step(struct lp_asm_parser *, enum lp_asm_step_kind);

/* Do the constraints and clobbers allow the access?  Counts as a use of the address. */
bool lp_asm_touch(struct lp_asm_parser *, const struct lp_asm_place *, uint8_t size, bool reads,
		  bool writes);
bool lp_asm_fence(struct lp_asm_parser *, enum lp_order);

/* Appends the step result = a op b.  The caller decides whether the step sets the flags. */
struct lp_asm_step *lp_asm_set(struct lp_asm_parser *, struct lp_asm_result, enum lp_asm_op, struct lp_asm_value a,
			       struct lp_asm_value b);
bool lp_asm_get_flag(struct lp_asm_parser *, struct lp_asm_result, enum lp_asm_flag, bool negated);

struct lp_asm_definition lp_asm_definition(const struct lp_asm_parser *, enum lp_asm_op, uint8_t size,
					   struct lp_asm_value a, struct lp_asm_value b);

uint16_t lp_asm_new_id(struct lp_asm_parser *);

/* Parses a condition, "eq", "nz", ...: sets the flag, and whether it is negated. */
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
