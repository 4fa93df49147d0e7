/* liveness_x86.h -- x86-64 instructions, reduced to what liveness needs.
 *
 * The classes below are those whose meaning the analysis relies on; each has only
 * instructions whose explicit operands (and `implicit`) are the whole story.
 * Everything else is X_ODD, which reads and perhaps writes whatever it could.
 */
#ifndef LP_LOAD_LIVENESS_X86_H
#define LP_LOAD_LIVENESS_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* General registers by their encoding. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, GPRS };
enum { NO_REG = -1, NOT_GENERAL = -2, RIP = -3 };

#define BIT(reg) (1u << (reg))
#define CALLEE_SAVED (BIT(RBX) | BIT(RBP) | BIT(R12) | BIT(R13) | BIT(R14) | BIT(R15))
#define CALLER_SAVED (0xffffu & ~CALLEE_SAVED & ~BIT(RSP))

enum x_class {
	X_MOVE,    /* operand 0 = operand 1: registers, memory, constants */
	X_EXTEND,  /* the same with zero or sign extension, into a register */
	X_LEA,
	X_ADJUST,  /* a 64-bit register plus (or minus: `number` is negated) a constant */
	X_ZERO,    /* operand 0 = 0 */
	X_COMPARE, /* reads only, and makes nothing but flags */
	X_SET,     /* writes one byte, operand 0, and reads only flags */
	X_ALU,     /* reads all its operands, may write the first `written` and `implicit` */
	X_VMOVE,   /* vector move; at most one operand is memory, of exactly its size */
	X_VECTOR,  /* as X_ALU, with `size` an upper bound for memory */
	X_STRING,
	X_PUSH, X_POP, X_LEAVE,
	X_CALL, X_RETURN, X_JUMP, X_BRANCH,
	X_NOTHING, /* no effect that matters */
	X_STOP,    /* never goes on */
	X_ODD,     /* goes on, but reads and writes what it likes */
	X_BAD,     /* makes the function incomprehensible */
};

enum x_kind { X_NONE, X_REG, X_MEM, X_IMM };

struct x_operand {
	uint8_t kind;      /* enum x_kind */
	uint8_t size;      /* bytes */
	int8_t reg;        /* X_REG: a general register, or NOT_GENERAL */
	int8_t base;       /* X_MEM: a general register, RIP, NO_REG */
	int8_t index;      /* X_MEM: NO_REG if there is none */
	bool far_;         /* X_MEM: another segment or a truncated address */
	int64_t number;    /* X_IMM; X_MEM: displacement, or the address if RIP */
};

struct x_insn {
	uint64_t at;
	uint8_t size;
	uint8_t class_;    /* enum x_class */
	uint8_t operands;  /* at most 3 are kept; more make it X_ODD */
	uint8_t written;   /* X_ALU, X_VECTOR */
	uint16_t implicit; /* general registers that it mentions without naming them */
	struct x_operand op[3];
};

struct x_decoder;
struct x_decoder *x_decoder_open(void); /* NULL: none for this machine */
void x_decoder_close(struct x_decoder *);

/* Decodes the instruction at `bytes`, which is at address `at`. */
bool x_decode(struct x_decoder *, const uint8_t *bytes, size_t room, uint64_t at,
	      struct x_insn *out);

#endif
