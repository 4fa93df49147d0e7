/* inlining.c -- computes the sizes of functions, callees before their callers, and decides by size. */
#include "frontend/ir/inlining.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/ir/coverage/marks.h"
#include "frontend/ir/state/results.h"

enum {
	/* Instructions that a function may have; hooks are calls, and count as one.  More would make code large, less
	 * would leave helpers alone that data structures are written with. */
	OWN = 250,
	/* The same with all that is inlined into it.  Templates that call templates, each of them small and called
	 * twice, would double the code at every step. */
	WHOLE = 5000
};

struct function {
	lp_ir_value at;
	uint32_t own;
	uint64_t whole;  /* 0: not yet known */
	bool may, must;  /* be inlined: it is small; the source says so */
};

struct functions {
	LP_VEC(struct function);
};

static int by_address(const void *a, const void *b)
{
	const struct function *f = a, *g = b;

	return (f->at > g->at) - (f->at < g->at);
}

static unsigned kind_of(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool has_attribute(lp_ir_value f, const char *name)
{
	return LLVMGetEnumAttributeAtIndex(f, LP_IR_OF_FUNCTION, kind_of(name));
}

static uint32_t instruction_count(lp_ir_value f)
{
	uint32_t count = 0;

	LP_IR_EACH_BLOCK(f, b)
		LP_IR_EACH_INSTRUCTION(b, x)
			count += !LLVMIsAAllocaInst(x) && !lp_ir_is_mark(x);
	return count;
}

static struct function measure(lp_ir_value f)
{
	struct function result = { .at = f, .own = instruction_count(f), .must = has_attribute(f, "alwaysinline") };

	result.may = !has_attribute(f, "noinline") && !has_attribute(f, "returns_twice") && result.own <= OWN &&
		     !lp_ir_calls_itself(f);
	return result;
}

static bool is_inlined(const struct function *f)
{
	return f->must || (f->may && f->whole <= WHOLE);
}

/* Functions that call themselves are not inlined, so that this comes to an end; unless the source says that
 * they have to be, and then LLVM knows an end. */
static void add_up(struct functions *all, struct function *f)
{
	f->whole = f->own;
	LP_IR_EACH_BLOCK(f->at, b)
		LP_IR_EACH_INSTRUCTION(b, x) {
			const struct function key = { .at = lp_ir_is_call(x) ? LLVMGetCalledValue(x) : NULL };
			struct function *g = bsearch(&key, all->at, all->count, sizeof *all->at, by_address);
			if (!g || !(g->may || g->must))
				continue;
			if (!g->whole)
				add_up(all, g);
			if (is_inlined(g))
				f->whole += g->whole;
		}
}

void lp_ir_choose_inlined(struct lp_ir *ir)
{
	const LLVMAttributeRef inlined = LLVMCreateEnumAttribute(ir->context, kind_of("alwaysinline"), 0);
	struct functions all = { 0 };

	LP_IR_EACH_FUNCTION(ir, f)
		if (lp_ir_is_defined(f))
			LP_PUSH(&all, measure(f));
	if (all.count)
		qsort(all.at, all.count, sizeof *all.at, by_address);
	for (uint32_t i = 0; i < all.count; i++) {
		if (!all.at[i].whole)
			add_up(&all, &all.at[i]);
		if (is_inlined(&all.at[i]) && !all.at[i].must)
			LLVMAddAttributeAtIndex(all.at[i].at, LP_IR_OF_FUNCTION, inlined);
	}
	lp_free(all.at);
}
