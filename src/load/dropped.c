/* dropped.c -- following a value through a few instructions, by disassembly. */
#include "load/dropped.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
#include <capstone/capstone.h>

enum { FAR = 256, LONGEST = 15 }; /* bytes of code; of an instruction */

/* Bits of what holds the value, or something computed from it. */
enum { FLAGS = 16, ELSEWHERE = 17 };
#define BIT(n) (1u << (n))

static const struct {
	x86_reg wide, half; /* writing these, all of it is written */
	x86_reg parts[3];
	bool kept;          /* by a call */
} registers[16] = {
	{ X86_REG_RAX, X86_REG_EAX, { X86_REG_AX, X86_REG_AL, X86_REG_AH }, false },
	{ X86_REG_RCX, X86_REG_ECX, { X86_REG_CX, X86_REG_CL, X86_REG_CH }, false },
	{ X86_REG_RDX, X86_REG_EDX, { X86_REG_DX, X86_REG_DL, X86_REG_DH }, false },
	{ X86_REG_RBX, X86_REG_EBX, { X86_REG_BX, X86_REG_BL, X86_REG_BH }, true },
	{ X86_REG_RSP, X86_REG_ESP, { X86_REG_SP, X86_REG_SPL, X86_REG_SPL }, true },
	{ X86_REG_RBP, X86_REG_EBP, { X86_REG_BP, X86_REG_BPL, X86_REG_BPL }, true },
	{ X86_REG_RSI, X86_REG_ESI, { X86_REG_SI, X86_REG_SIL, X86_REG_SIL }, false },
	{ X86_REG_RDI, X86_REG_EDI, { X86_REG_DI, X86_REG_DIL, X86_REG_DIL }, false },
	{ X86_REG_R8, X86_REG_R8D, { X86_REG_R8W, X86_REG_R8B, X86_REG_R8B }, false },
	{ X86_REG_R9, X86_REG_R9D, { X86_REG_R9W, X86_REG_R9B, X86_REG_R9B }, false },
	{ X86_REG_R10, X86_REG_R10D, { X86_REG_R10W, X86_REG_R10B, X86_REG_R10B }, false },
	{ X86_REG_R11, X86_REG_R11D, { X86_REG_R11W, X86_REG_R11B, X86_REG_R11B }, false },
	{ X86_REG_R12, X86_REG_R12D, { X86_REG_R12W, X86_REG_R12B, X86_REG_R12B }, true },
	{ X86_REG_R13, X86_REG_R13D, { X86_REG_R13W, X86_REG_R13B, X86_REG_R13B }, true },
	{ X86_REG_R14, X86_REG_R14D, { X86_REG_R14W, X86_REG_R14B, X86_REG_R14B }, true },
	{ X86_REG_R15, X86_REG_R15D, { X86_REG_R15W, X86_REG_R15B, X86_REG_R15B }, true },
};

/* The bit of a register; *whole if none of its old contents is left when it is written. */
static uint32_t bit_of(uint16_t reg, bool *whole)
{
	*whole = true;
	if (reg == X86_REG_EFLAGS)
		return BIT(FLAGS);
	for (int i = 0; i < 16; i++) {
		if (reg == registers[i].wide || reg == registers[i].half)
			return BIT(i);
		*whole = false;
		for (int p = 0; p < 3; p++)
			if (reg == registers[i].parts[p])
				return BIT(i);
		*whole = true;
	}
	return reg == X86_REG_RIP ? 0 : BIT(ELSEWHERE);
}

static bool touches_memory(const cs_x86 *x86)
{
	for (int i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == X86_OP_MEM)
			return true;
	return false;
}

/* What compilers compute with, and the disassembler tells all registers of. */
static bool is_known(unsigned id)
{
	static const unsigned known[] = {
		X86_INS_MOV, X86_INS_MOVABS, X86_INS_MOVZX, X86_INS_MOVSX, X86_INS_MOVSXD, X86_INS_LEA,
		X86_INS_ADD, X86_INS_SUB, X86_INS_IMUL, X86_INS_MUL, X86_INS_IDIV, X86_INS_DIV,
		X86_INS_SAR, X86_INS_SHR, X86_INS_SHL, X86_INS_AND, X86_INS_OR, X86_INS_XOR,
		X86_INS_NEG, X86_INS_NOT, X86_INS_INC, X86_INS_DEC, X86_INS_CDQ, X86_INS_CQO,
		X86_INS_CDQE, X86_INS_CWDE, X86_INS_CMP, X86_INS_TEST, X86_INS_NOP, X86_INS_PUSH,
		X86_INS_POP,
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (id == known[i])
			return true;
	return false;
}

/* One instruction that is no jump and no call.  False if the value gets out of sight. */
static bool follow(csh engine, const cs_insn *instruction, uint32_t *holds)
{
	cs_regs read, written;
	uint8_t reads, writes;
	bool whole, takes = false;

	if (!is_known(instruction->id) || cs_regs_access(engine, instruction, read, &reads, written, &writes))
		return false;
	for (uint8_t i = 0; i < reads; i++)
		takes |= (bit_of(read[i], &whole) & *holds) != 0;
	if (takes && (touches_memory(&instruction->detail->x86) || instruction->id == X86_INS_PUSH) &&
	    instruction->id != X86_INS_LEA)
		return false;
	for (uint8_t i = 0; i < writes; i++) {
		const uint32_t bit = bit_of(written[i], &whole);
		if (takes)
			*holds |= bit;
		else if (whole)
			*holds &= ~bit;
	}
	return !(*holds & BIT(ELSEWHERE));
}

/* What a call reaches through the table of a shared object: jmp *GOT(%rip). */
static uintptr_t target_of(const cs_x86 *call)
{
	static const uint8_t mark[] = { 0xf3, 0x0f, 0x1e, 0xfa }; /* endbr64 */
	int32_t offset;

	if (call->op_count != 1 || call->operands[0].type != X86_OP_IMM)
		return 0;
	const uint8_t *code = (const uint8_t *)(uintptr_t)call->operands[0].imm;
	if (!memcmp(code, mark, sizeof mark))
		code += sizeof mark;
	if (code[0] == 0xf2)
		code++;
	if (code[0] != 0xff || code[1] != 0x25)
		return (uintptr_t)code;
	memcpy(&offset, code + 2, sizeof offset);
	return *(const uintptr_t *)(code + 6 + offset);
}

static uint32_t kept_by_calls(void)
{
	uint32_t kept = 0;

	for (int i = 0; i < 16; i++)
		kept |= registers[i].kept ? BIT(i) : 0;
	return kept;
}

bool lp_value_is_dropped(uintptr_t from, bool (*ignores)(uintptr_t function))
{
	const uint8_t *code = (const uint8_t *)from;
	size_t left = FAR;
	uint64_t address = from;
	uint32_t holds = BIT(0);
	bool good = true;
	csh engine;

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &engine) != CS_ERR_OK)
		return false;
	cs_option(engine, CS_OPT_DETAIL, CS_OPT_ON);
	cs_insn *instruction = cs_malloc(engine);
	while (good && holds) {
		good = left >= LONGEST && cs_disasm_iter(engine, &code, &left, &address, instruction) &&
		       !cs_insn_group(engine, instruction, CS_GRP_JUMP) &&
		       !cs_insn_group(engine, instruction, CS_GRP_RET) &&
		       !cs_insn_group(engine, instruction, CS_GRP_INT);
		if (!good)
			break;
		if (cs_insn_group(engine, instruction, CS_GRP_CALL)) {
			good = !(holds & kept_by_calls()) && ignores(target_of(&instruction->detail->x86));
			holds = 0;
		} else {
			good = follow(engine, instruction, &holds);
		}
	}
	cs_free(instruction, 1);
	cs_close(&engine);
	return good;
}
#else
bool lp_value_is_dropped(uintptr_t from, bool (*ignores)(uintptr_t function))
{
	(void)from, (void)ignores;
	return false;
}
#endif
