/* liveness_x86.c -- x86-64 instructions, reduced to what liveness needs.
 *
 * Capstone's lists of what is read and written have gaps, and a gap here would
 * make a live value dead.  So they are trusted only to add: every operand that an
 * instruction names counts as read, unless its class says otherwise, and only
 * instructions listed here are in a class that says so.
 */
#include "load/liveness_x86.h"

#include <capstone/capstone.h>
#include <string.h>

#include "base/alloc.h"

struct x_decoder {
	csh handle;
	cs_insn *insn;
};

struct x_decoder *x_decoder_open(void)
{
	struct x_decoder *decoder = lp_alloc_zero(1, sizeof *decoder);

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->handle) != CS_ERR_OK) {
		lp_free(decoder);
		return NULL;
	}
	cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
	decoder->insn = cs_malloc(decoder->handle);
	return decoder;
}

void x_decoder_close(struct x_decoder *decoder)
{
	if (!decoder)
		return;
	cs_free(decoder->insn, 1);
	cs_close(&decoder->handle);
	lp_free(decoder);
}

/* A general register of any width; its size in bytes goes to `*size`. */
static int8_t general(x86_reg reg, uint8_t *size)
{
	static const struct {
		x86_reg wide, dword, word, byte;
	} names[GPRS] = {
		{ X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL },
		{ X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL },
		{ X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL },
		{ X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL },
		{ X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL },
		{ X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL },
		{ X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL },
		{ X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL },
		{ X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B },
		{ X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B },
		{ X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B },
		{ X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B },
		{ X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B },
		{ X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B },
		{ X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B },
		{ X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B },
	};

	for (int8_t i = 0; i < GPRS; i++) {
		*size = reg == names[i].wide ? 8 : reg == names[i].dword ? 4 :
			reg == names[i].word ? 2 : reg == names[i].byte ? 1 : 0;
		if (*size)
			return i;
	}
	*size = 1;
	switch (reg) {
	case X86_REG_AH: return RAX;
	case X86_REG_BH: return RBX;
	case X86_REG_CH: return RCX;
	case X86_REG_DH: return RDX;
	default: return NOT_GENERAL;
	}
}

static struct x_operand operand(const cs_x86_op *from, const cs_insn *insn)
{
	struct x_operand op = { .size = from->size, .reg = NO_REG, .base = NO_REG, .index = NO_REG };
	uint8_t size;

	switch (from->type) {
	case X86_OP_REG:
		op.kind = X_REG;
		op.reg = general(from->reg, &size);
		if (op.reg != NOT_GENERAL)
			op.size = size;
		break;
	case X86_OP_IMM:
		op.kind = X_IMM;
		op.number = from->imm;
		break;
	case X86_OP_MEM:
		op.kind = X_MEM;
		op.number = from->mem.disp;
		op.far_ = from->mem.segment == X86_REG_FS || from->mem.segment == X86_REG_GS;
		if (from->mem.base == X86_REG_RIP) {
			op.base = RIP;
			op.number += (int64_t)insn->address + insn->size;
		} else if (from->mem.base != X86_REG_INVALID) {
			op.base = general(from->mem.base, &size);
			op.far_ |= size != 8;
		}
		if (from->mem.index != X86_REG_INVALID && from->mem.index != X86_REG_RIZ)
			op.index = general(from->mem.index, &size);
		break;
	default:
		break;
	}
	return op;
}

/* Bytes that a plain vector move transfers; 0: as wide as its register. */
static bool is_vector_move(unsigned id, uint8_t *bytes)
{
	switch (id) {
	case X86_INS_MOVAPS: case X86_INS_MOVUPS: case X86_INS_MOVAPD: case X86_INS_MOVUPD:
	case X86_INS_MOVDQA: case X86_INS_MOVDQU:
		*bytes = 16;
		return true;
	case X86_INS_VMOVAPS: case X86_INS_VMOVUPS: case X86_INS_VMOVAPD: case X86_INS_VMOVUPD:
	case X86_INS_VMOVDQA: case X86_INS_VMOVDQU:
		*bytes = 0;
		return true;
	case X86_INS_MOVQ: case X86_INS_MOVSD: case X86_INS_MOVLPS: case X86_INS_MOVHPS:
	case X86_INS_MOVLPD: case X86_INS_MOVHPD: case X86_INS_VMOVQ: case X86_INS_VMOVSD:
		*bytes = 8;
		return true;
	case X86_INS_MOVD: case X86_INS_MOVSS: case X86_INS_VMOVD: case X86_INS_VMOVSS:
		*bytes = 4;
		return true;
	default:
		return false;
	}
}

static enum x_class vector_move(const struct x_insn *x, uint8_t bytes)
{
	const struct x_operand *a = &x->op[0], *b = &x->op[1];

	if (x->operands != 2 || (a->kind != X_REG && b->kind != X_REG))
		return X_ODD; /* a string instruction that shares its name, or three operands */
	if ((a->kind == X_REG && a->reg != NOT_GENERAL) || (b->kind == X_REG && b->reg != NOT_GENERAL))
		return X_VECTOR;
	for (unsigned i = 0; i < 2; i++)
		if (x->op[i].kind == X_MEM && (x->op[i].size != bytes || !bytes))
			return X_VECTOR;
	return X_VMOVE;
}

/* Bytes that an instruction on one number of a vector register transfers at most; 0: it is
 * none of these.  To take more of the stack for live than is read would cost us loops whose
 * callers' frames nothing is known of. */
static uint8_t scalar_room(unsigned id)
{
	switch (id) {
	case X86_INS_ADDSS: case X86_INS_SUBSS: case X86_INS_MULSS: case X86_INS_DIVSS:
	case X86_INS_SQRTSS: case X86_INS_MINSS: case X86_INS_MAXSS: case X86_INS_COMISS:
	case X86_INS_UCOMISS: case X86_INS_CVTSS2SD: case X86_INS_CVTSS2SI:
	case X86_INS_CVTTSS2SI: case X86_INS_LDMXCSR: case X86_INS_STMXCSR:
		return 4;
	case X86_INS_ADDSD: case X86_INS_SUBSD: case X86_INS_MULSD: case X86_INS_DIVSD:
	case X86_INS_SQRTSD: case X86_INS_MINSD: case X86_INS_MAXSD: case X86_INS_COMISD:
	case X86_INS_UCOMISD: case X86_INS_CVTSD2SS: case X86_INS_CVTSD2SI:
	case X86_INS_CVTTSD2SI: case X86_INS_CVTSI2SD: case X86_INS_CVTSI2SS:
		return 8;
	default:
		return 0;
	}
}

/* Its memory operands count as `room` bytes: their sizes are not worth trusting. */
static enum x_class vector_class(struct x_insn *x, uint8_t room)
{
	for (unsigned i = 0; i < x->operands; i++)
		if (x->op[i].kind == X_MEM)
			x->op[i].size = room;
	return X_VECTOR;
}

static enum x_class shift_class(struct x_insn *x)
{
	x->implicit |= BIT(RCX);
	return X_ALU;
}

static enum x_class wide_class(struct x_insn *x)
{
	x->implicit |= BIT(RAX) | BIT(RDX);
	return X_ALU;
}

static enum x_class alu_or_special(unsigned id, struct x_insn *x)
{
	const struct x_operand *a = &x->op[0], *b = &x->op[1];
	const bool wide = a->kind == X_REG && a->reg >= 0 && a->size == 8;

	if ((id == X86_INS_ADD || id == X86_INS_SUB) && wide && b->kind == X_IMM) {
		if (id == X86_INS_SUB)
			x->op[1].number = -b->number;
		return X_ADJUST;
	}
	if ((id == X86_INS_XOR || id == X86_INS_SUB) && a->kind == X_REG && b->kind == X_REG &&
	    a->reg == b->reg && a->reg >= 0 && a->size >= 4 && a->size == b->size)
		return X_ZERO;
	return X_ALU;
}

static enum x_class class_of(const cs_insn *insn, struct x_insn *x, csh handle)
{
	const struct x_operand *a = &x->op[0], *b = &x->op[1];
	uint8_t bytes;

	if (is_vector_move(insn->id, &bytes)) {
		const enum x_class class = vector_move(x, bytes);
		if (class != X_ODD)
			return class == X_VECTOR ? vector_class(x, 64) : class;
	}
	switch (insn->id) {
	case X86_INS_MOV: case X86_INS_MOVABS:
		for (unsigned i = 0; i < 2; i++)
			if (x->op[i].kind == X_REG && x->op[i].reg < 0)
				return X_ODD; /* segment, control and debug registers */
		return X_MOVE;
	case X86_INS_MOVZX: case X86_INS_MOVSX: case X86_INS_MOVSXD:
		return X_EXTEND;
	case X86_INS_LEA:
		return X_LEA;
	case X86_INS_ADD: case X86_INS_SUB: case X86_INS_XOR:
		return alu_or_special(insn->id, x);
	case X86_INS_AND: case X86_INS_OR: case X86_INS_ADC: case X86_INS_SBB: case X86_INS_INC:
	case X86_INS_DEC: case X86_INS_NEG: case X86_INS_NOT: case X86_INS_BSWAP: case X86_INS_BSF:
	case X86_INS_BSR: case X86_INS_TZCNT: case X86_INS_LZCNT: case X86_INS_POPCNT:
	case X86_INS_CMOVA: case X86_INS_CMOVAE: case X86_INS_CMOVB: case X86_INS_CMOVBE: case X86_INS_CMOVE: case X86_INS_CMOVG:
	case X86_INS_CMOVGE: case X86_INS_CMOVL: case X86_INS_CMOVLE: case X86_INS_CMOVNE:
	case X86_INS_CMOVNO: case X86_INS_CMOVNP: case X86_INS_CMOVNS: case X86_INS_CMOVO:
	case X86_INS_CMOVP: case X86_INS_CMOVS:
		return X_ALU;
	case X86_INS_XCHG: case X86_INS_XADD:
		x->written = 2;
		return X_ALU;
	case X86_INS_SETAE: case X86_INS_SETA: case X86_INS_SETBE: case X86_INS_SETB:
	case X86_INS_SETE: case X86_INS_SETGE: case X86_INS_SETG: case X86_INS_SETLE:
	case X86_INS_SETL: case X86_INS_SETNE: case X86_INS_SETNO: case X86_INS_SETNP:
	case X86_INS_SETNS: case X86_INS_SETO: case X86_INS_SETP: case X86_INS_SETS:
		return a->size == 1 ? X_SET : X_BAD;
	case X86_INS_SHL: case X86_INS_SAL: case X86_INS_SHR: case X86_INS_SAR: case X86_INS_ROL:
	case X86_INS_ROR: case X86_INS_SHLD: case X86_INS_SHRD:
		return shift_class(x);
	case X86_INS_IMUL:
		return x->operands > 1 ? X_ALU : wide_class(x);
	case X86_INS_MUL: case X86_INS_DIV: case X86_INS_IDIV: case X86_INS_CDQ: case X86_INS_CQO:
	case X86_INS_CDQE: case X86_INS_CWDE: case X86_INS_CWD: case X86_INS_CBW:
		return wide_class(x);
	case X86_INS_CMP: case X86_INS_TEST:
		return X_COMPARE;
	case X86_INS_PUSH: /* of 8 bytes, which capstone does not say of constants */
		return a->kind == X_IMM || (a->size == 8 && (a->kind == X_MEM || a->reg >= 0)) ?
			X_PUSH : X_BAD;
	case X86_INS_POP:
		return a->size == 8 && (a->kind == X_MEM || a->reg >= 0) ? X_POP : X_BAD;
	case X86_INS_LEAVE:
		return X_LEAVE;
	case X86_INS_CALL:
		return X_CALL;
	case X86_INS_RET:
		return X_RETURN;
	case X86_INS_JMP:
		return X_JUMP;
	case X86_INS_NOP: case X86_INS_PAUSE: case X86_INS_MFENCE: case X86_INS_LFENCE:
	case X86_INS_SFENCE:
		return X_NOTHING;
	case X86_INS_UD2: case X86_INS_INT3: case X86_INS_HLT:
		return X_STOP;
	case X86_INS_MOVSB: case X86_INS_MOVSW: case X86_INS_MOVSQ: case X86_INS_STOSB:
	case X86_INS_STOSW: case X86_INS_STOSD: case X86_INS_STOSQ: case X86_INS_LODSB:
	case X86_INS_LODSW: case X86_INS_LODSD: case X86_INS_LODSQ: case X86_INS_SCASB:
	case X86_INS_SCASW: case X86_INS_SCASD: case X86_INS_SCASQ: case X86_INS_CMPSB:
	case X86_INS_CMPSW: case X86_INS_CMPSQ: case X86_INS_MOVSD: case X86_INS_CMPSD:
		if (a->kind == X_REG && a->reg == NOT_GENERAL)
			return vector_class(x, 64); /* movsd, cmpsd on vector registers */
		if (b->kind == X_REG && b->reg == NOT_GENERAL)
			return vector_class(x, 64);
		return X_STRING;
	case X86_INS_MASKMOVDQU: case X86_INS_VMASKMOVDQU: case X86_INS_MASKMOVQ:
	case X86_INS_FNSAVE: case X86_INS_FRSTOR: case X86_INS_FXSAVE: case X86_INS_FXRSTOR:
	case X86_INS_FXSAVE64: case X86_INS_FXRSTOR64: case X86_INS_PCMPESTRI:
	case X86_INS_PCMPESTRM: case X86_INS_PCMPISTRI: case X86_INS_PCMPISTRM:
	case X86_INS_VPCMPESTRI: case X86_INS_VPCMPESTRM: case X86_INS_VPCMPISTRI:
	case X86_INS_VPCMPISTRM:
		return X_ODD;
	default:
		break;
	}
	if (cs_insn_group(handle, insn, X86_GRP_RTM) || cs_insn_group(handle, insn, X86_GRP_RET) ||
	    cs_insn_group(handle, insn, X86_GRP_IRET) || cs_insn_group(handle, insn, X86_GRP_CALL))
		return X_BAD;
	if (cs_insn_group(handle, insn, X86_GRP_JUMP))
		return a->kind == X_IMM ? X_BRANCH : X_BAD;
	for (unsigned group = X86_GRP_AVX; group <= X86_GRP_SSSE3; group++) {
		const bool vector = group == X86_GRP_AVX || group == X86_GRP_AVX2 ||
			group == X86_GRP_SSE1 || group == X86_GRP_SSE2 || group == X86_GRP_SSE3 ||
			group == X86_GRP_SSE41 || group == X86_GRP_SSE42 || group == X86_GRP_SSSE3;
		if (!vector || !cs_insn_group(handle, insn, group))
			continue;
		if (group == X86_GRP_AVX || group == X86_GRP_AVX2)
			return vector_class(x, 64);
		bytes = scalar_room(insn->id);
		return vector_class(x, bytes ? bytes : 16);
	}
	if (!cs_insn_group(handle, insn, X86_GRP_FPU))
		return X_ODD;
	const bool environment = insn->id == X86_INS_FLDENV || insn->id == X86_INS_FNSTENV;
	return vector_class(x, environment ? 28 : 10); /* numbers have 10 bytes at most */
}

bool x_decode(struct x_decoder *decoder, const uint8_t *bytes, size_t room, uint64_t at,
	      struct x_insn *out)
{
	cs_insn *insn = decoder->insn;

	*out = (struct x_insn){ .at = at, .written = 1 };
	if (!cs_disasm_iter(decoder->handle, &bytes, &room, &at, insn))
		return false;
	const cs_detail *detail = insn->detail;
	uint8_t size;

	out->size = (uint8_t)insn->size;
	out->operands = detail->x86.op_count > 3 ? 3 : detail->x86.op_count;
	for (unsigned i = 0; i < out->operands; i++)
		out->op[i] = operand(&detail->x86.operands[i], insn);
	for (unsigned i = 0; i < detail->regs_read_count; i++) {
		const int8_t reg = general(detail->regs_read[i], &size);
		out->implicit |= (uint16_t)(reg >= 0 ? BIT(reg) : 0);
	}
	for (unsigned i = 0; i < detail->regs_write_count; i++) {
		const int8_t reg = general(detail->regs_write[i], &size);
		out->implicit |= (uint16_t)(reg >= 0 ? BIT(reg) : 0);
	}
	out->class_ = (uint8_t)class_of(insn, out, decoder->handle);
	if (detail->x86.op_count > 3)
		out->class_ = X_ODD;
	return true;
}
