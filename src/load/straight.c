/* straight.c -- whether a store lies between two hooks, by disassembly. */
#include "load/straight.h"

#include <capstone/capstone.h>
#include <stddef.h>

enum { FAR = 512 }; /* bytes; hooks of one statement are close together */

static csh engine;
static bool engine_open;

static bool open_engine(void)
{
	if (!engine_open) {
#if defined(__x86_64__)
		engine_open = cs_open(CS_ARCH_X86, CS_MODE_64, &engine) == CS_ERR_OK;
#elif defined(__aarch64__)
		engine_open = cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &engine) == CS_ERR_OK;
#endif
		if (engine_open)
			cs_option(engine, CS_OPT_DETAIL, CS_OPT_ON);
	}
	return engine_open;
}

#if defined(__x86_64__)
static bool writes(const cs_insn *instruction, bool stack)
{
	const cs_x86 *x86 = &instruction->detail->x86;

	for (int i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];
		if (op->type != X86_OP_MEM)
			continue;
		/* Not all of capstone's tables know: a memory operand that comes first is
		 * taken as written, unless the instruction only compares. */
		const bool written = op->access & CS_AC_WRITE || (!op->access && i == 0);
		const bool on_stack = op->mem.base == X86_REG_RSP || op->mem.base == X86_REG_RBP;
		if (written && (stack || !on_stack))
			return true;
	}
	return false;
}
#elif defined(__aarch64__)
static bool writes(const cs_insn *instruction, bool stack)
{
	const cs_arm64 *arm = &instruction->detail->arm64;
	const bool store = instruction->mnemonic[0] == 's' && instruction->mnemonic[1] == 't';

	for (int i = 0; store && i < arm->op_count; i++) {
		const cs_arm64_op *op = &arm->operands[i];
		const bool on_stack = op->mem.base == ARM64_REG_SP || op->mem.base == ARM64_REG_FP;
		if (op->type == ARM64_OP_MEM && (stack || !on_stack))
			return true;
	}
	return false;
}
#endif

static bool leaves(const cs_insn *instruction)
{
	return cs_insn_group(engine, instruction, CS_GRP_JUMP) ||
	       cs_insn_group(engine, instruction, CS_GRP_RET) ||
	       cs_insn_group(engine, instruction, CS_GRP_INT);
}

bool lp_straight_code_writes(uintptr_t from, uintptr_t to, bool stack)
{
	const uint8_t *code = (const uint8_t *)from;
	size_t left = to - from;
	uint64_t address = from;
	bool found = false;

	if (to <= from || left > FAR || !open_engine())
		return true;
	cs_insn *instruction = cs_malloc(engine);
	while (left && !found) {
		if (!cs_disasm_iter(engine, &code, &left, &address, instruction)) {
			found = true;
			break;
		}
		/* The call at the very end is the second hook. */
		const bool call = cs_insn_group(engine, instruction, CS_GRP_CALL);
		found = call ? left > 0 : leaves(instruction) || writes(instruction, stack);
	}
	cs_free(instruction, 1);
	return found;
}
