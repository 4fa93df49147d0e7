/* copies.c -- hooks for structures that are copied, filled, or passed by value.
 *
 * A copy between a private variable and memory that other threads may know is made member by member, if there are few members.  The
 * variable can then be promoted to values.  Such a copy may include bytes that were never written (padding), so its loads have a
 * site of kind LP_SITE_COPY.
 */
#include "frontend/ir/access/copies.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "frontend/ir/prepare.h"
#include "frontend/ir/state/privacy.h"
#include "frontend/ir/access/site_records.h"

enum { PIECES = 16 };

struct piece {
	uint64_t offset, size;
};

static uint64_t alignment(lp_ir_value call, unsigned argument)
{
	const LLVMAttributeRef align = lp_ir_argument_attribute(call, argument, "align");

	return align ? LLVMGetEnumAttributeValue(align) : 1;
}

static bool is_size(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Pieces of [from, to), as large as their place allows; false if there is no room for them. */
static bool add_pieces(uint64_t from, uint64_t to, uint64_t align, struct piece pieces[static PIECES],
		       unsigned *count)
{
	while (from < to) {
		uint64_t size = align < 8 ? align : 8;
		while (size > to - from || from % size)
			size /= 2;
		if (*count == PIECES)
			return false;
		pieces[(*count)++] = (struct piece){ from, size };
		from += size;
	}
	return true;
}

/* The members, as the type says: !tbaa.struct is a list of offset, size and type, in order.  What lies
 * between them is copied, too: it need not be padding. */
static unsigned pieces_of_type(const struct lp_ir *ir, lp_ir_value call, uint64_t size,
			       struct piece pieces[static PIECES])
{
	const lp_ir_value node = LLVMGetMetadata(call, LLVMGetMDKindIDInContext(ir->context, "tbaa.struct", 11));
	const unsigned operands = node ? LLVMGetMDNodeNumOperands(node) : 0;
	lp_ir_value at[3 * PIECES];
	unsigned count = 0;
	uint64_t end = 0;

	if (!operands || operands > 3 * PIECES)
		return 0;
	LLVMGetMDNodeOperands(node, at);
	for (unsigned i = 0; i + 2 < operands; i += 3) {
		const struct piece p = { LLVMConstIntGetZExtValue(at[i]), LLVMConstIntGetZExtValue(at[i + 1]) };
		if (!is_size(p.size) || p.offset < end || p.offset + p.size > size || p.offset % p.size ||
		    !add_pieces(end, p.offset, 8, pieces, &count) || count == PIECES)
			return 0;
		pieces[count++] = p;
		end = p.offset + p.size;
	}
	return add_pieces(end, size, 8, pieces, &count) ? count : 0;
}

static unsigned pieces_of_alignment(uint64_t align, uint64_t size, struct piece pieces[static PIECES])
{
	unsigned count = 0;

	return add_pieces(0, size, align, pieces, &count) ? count : 0;
}

static lp_ir_value offset_by(struct lp_ir *ir, lp_ir_value p, uint64_t offset)
{
	lp_ir_value index = lp_ir_number(ir, offset);

	return offset ? LLVMBuildInBoundsGEP2(ir->builder, ir->i8, p, &index, 1, "") : p;
}

static lp_ir_value site_of(struct lp_ir *ir, enum lp_site_kind kind, lp_ir_value x, uint64_t size)
{
	const uint32_t site = lp_ir_site(ir, kind, x);

	lp_ir_site_record(ir, site)->size = (uint8_t)(is_size(size) ? size : 0);
	return lp_ir_site_address(ir, site);
}

static void copy_piece(struct lp_ir *ir, lp_ir_value call, lp_ir_value to, lp_ir_value from,
		       struct piece piece, bool from_private)
{
	const LLVMTypeRef type = LLVMIntTypeInContext(ir->context, (unsigned)piece.size * 8);
	const lp_ir_value p = offset_by(ir, from, piece.offset), q = offset_by(ir, to, piece.offset);
	char name[32];

	if (from_private) {
		const lp_ir_value v = LLVMBuildLoad2(ir->builder, type, p, "");
		LLVMSetAlignment(v, 1);
		lp_ir_value arguments[] = { site_of(ir, LP_SITE_STORE, call, piece.size), q, v };
		snprintf(name, sizeof name, "lp_store%u", (unsigned)piece.size);
		lp_ir_call(ir, name, ir->nothing, arguments, 3);
	} else {
		lp_ir_value arguments[] = { site_of(ir, LP_SITE_COPY, call, piece.size), p };
		snprintf(name, sizeof name, "lp_load%u", (unsigned)piece.size);
		LLVMSetAlignment(LLVMBuildStore(ir->builder, lp_ir_call(ir, name, type, arguments, 2), q), 1);
	}
}

/* False if there are too many members. */
static bool copy_by_pieces(struct lp_ir *ir, lp_ir_value call, lp_ir_value to, lp_ir_value from,
			   bool from_private)
{
	const lp_ir_value length = LLVMGetOperand(call, 2);
	struct piece pieces[PIECES];

	if (!LLVMIsAConstantInt(length))
		return false;
	const uint64_t size = LLVMConstIntGetZExtValue(length), a = alignment(call, 0), b = alignment(call, 1);
	unsigned count = pieces_of_type(ir, call, size, pieces);
	if (!count)
		count = pieces_of_alignment(a < b ? a : b, size, pieces);
	for (unsigned i = 0; i < count; i++)
		copy_piece(ir, call, to, from, pieces[i], from_private);
	return count || !size;
}

static lp_ir_value length_of(struct lp_ir *ir, lp_ir_value call)
{
	return lp_ir_to_integer(ir, LLVMGetOperand(call, 2), 8);
}

static void hook_copy(struct lp_ir *ir, lp_ir_value x, const struct lp_ir_values *private)
{
	const lp_ir_value to = LLVMGetOperand(x, 0), from = LLVMGetOperand(x, 1);
	const bool to_private = lp_ir_points_to(to, private);
	const bool from_private = lp_ir_points_to(from, private) || lp_ir_is_constant(from);

	if (to_private && from_private)
		return;
	if ((to_private || from_private) && copy_by_pieces(ir, x, to, from, from_private)) {
		lp_ir_replace(x, NULL);
		return;
	}
	lp_ir_value arguments[] = { site_of(ir, LP_SITE_COPY, x, 0), to, from, length_of(ir, x) };
	lp_ir_call(ir, to_private ? "lp_read" : from_private ? "lp_write" : "lp_copy", ir->nothing, arguments, 4);
	lp_ir_replace(x, NULL);
}

static void hook_fill(struct lp_ir *ir, lp_ir_value x, const struct lp_ir_values *private)
{
	if (lp_ir_points_to(LLVMGetOperand(x, 0), private))
		return;
	lp_ir_value arguments[] = { site_of(ir, LP_SITE_FILL, x, 0), LLVMGetOperand(x, 0),
				    LLVMGetOperand(x, 1), length_of(ir, x) };
	lp_ir_call(ir, "lp_fill", ir->nothing, arguments, 4);
	lp_ir_replace(x, NULL);
}

/* An argument that is passed in memory is copied by the call itself.  We copy it before. */
static void hook_argument(struct lp_ir *ir, lp_ir_value f, lp_ir_value call, unsigned argument,
			  LLVMTypeRef type)
{
	const lp_ir_value copy = lp_ir_variable(ir, f, type, "lp.argument");
	lp_ir_value arguments[] = { site_of(ir, LP_SITE_COPY, call, 0), copy, LLVMGetOperand(call, argument),
				    lp_ir_number(ir, LLVMABISizeOfType(ir->layout, type)) };

	LLVMSetAlignment(copy, 16);
	lp_ir_call(ir, "lp_read", ir->nothing, arguments, 4);
	LLVMSetOperand(call, argument, copy);
}

static const char *const setjmps[] = { "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", NULL };
static const char *const longjmps[] = { "longjmp", "_longjmp", "siglongjmp", NULL };

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(name, *names))
		names++;
	return *names;
}

/* setjmp() writes its buffer, longjmp() reads it: the library does, and is not to be disturbed.  What
 * is reported is one member that every such buffer has, also the smaller one of pthread_cleanup_push(): no
 * two of these functions may use a buffer at the same time, and code that frees or overwrites it does
 * so to all of it. */
static void hook_jump(struct lp_ir *ir, lp_ir_value f, lp_ir_value call, bool writes)
{
	enum { AT = offsetof(struct __jmp_buf_tag, __mask_was_saved), SIZE = sizeof(int) };
	lp_ir_value at = lp_ir_number(ir, AT), p = LLVMGetOperand(call, 0);

	p = LLVMBuildGEP2(ir->builder, ir->i8, p, &at, 1, "");
	if (writes) {
		lp_ir_value arguments[] = { site_of(ir, LP_SITE_FILL, call, 0), p, LLVMConstNull(ir->i8),
					    lp_ir_number(ir, SIZE) };
		lp_ir_call(ir, "lp_fill", ir->nothing, arguments, 4);
	} else {
		const lp_ir_value room = lp_ir_variable(ir, f, LLVMArrayType2(ir->i8, SIZE), "lp.jump");
		lp_ir_value arguments[] = { site_of(ir, LP_SITE_COPY, call, 0), room, p, lp_ir_number(ir, SIZE) };
		lp_ir_call(ir, "lp_read", ir->nothing, arguments, 4);
	}
}

void lp_ir_hook_copies(struct lp_ir *ir, lp_ir_value f, lp_ir_value call, const struct lp_ir_values *private)
{
	const bool sets = is_one_of(lp_ir_callee(call), setjmps);

	if ((sets || is_one_of(lp_ir_callee(call), longjmps)) && !lp_ir_is_defined(LLVMGetCalledValue(call)))
		hook_jump(ir, f, call, sets);
	if (lp_ir_is_intrinsic(call, "llvm.memset")) {
		hook_fill(ir, call, private);
	} else if (lp_ir_is_intrinsic(call, "llvm.memcpy") || lp_ir_is_intrinsic(call, "llvm.memmove")) {
		hook_copy(ir, call, private);
	} else {
		for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
			const LLVMAttributeRef byval = lp_ir_argument_attribute(call, i, "byval");
			if (byval && !lp_ir_points_to(LLVMGetOperand(call, i), private) &&
			    !lp_ir_is_constant(LLVMGetOperand(call, i)))
				hook_argument(ir, f, call, i, LLVMGetTypeAttributeValue(byval));
		}
	}
}
