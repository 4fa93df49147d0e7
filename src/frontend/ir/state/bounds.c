/* bounds.c -- marks and checks for the hooks that are left when LLVM's passes have run. */
#include "frontend/ir/state/bounds.h"

#include <stdio.h>
#include <string.h>

#include "frontend/ir/state/fixed.h"
#include "frontend/ir/access/insert_hooks.h"
#include "frontend/ir/state/privacy.h"
#include "frontend/ir/access/site_records.h"

static bool begins(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* What an access is of, and how many bytes. */
struct access {
	unsigned address; /* the number of the argument that is the address */
	lp_ir_value length;
};

/* The accesses of a hook to memory that others may know of. */
static unsigned accesses_of(struct lp_ir *ir, lp_ir_value x, struct access at[static 2])
{
	static const char *const sized[] = { "lp_load", "lp_store", "lp_atomic_load", "lp_atomic_store", "lp_rmw",
					     "lp_cas", NULL };
	const char *name = lp_ir_callee(x);
	unsigned count = 0;
	uint32_t site;

	if (!lp_ir_is_hook(name) || !lp_ir_site_of(ir, LLVMGetOperand(x, 0), &site))
		return 0;
	if (begins(name, "lp_write") || begins(name, "lp_copy") || begins(name, "lp_fill"))
		at[count++] = (struct access){ 1, LLVMGetOperand(x, 3) };
	if (begins(name, "lp_read") || begins(name, "lp_copy"))
		at[count++] = (struct access){ 2, LLVMGetOperand(x, 3) };
	for (const char *const *prefix = sized; *prefix; prefix++)
		if (begins(name, *prefix))
			at[count++] = (struct access){ 1, lp_ir_number(ir, lp_ir_site_record(ir, site)->size) };
	return count;
}

static bool is_read(lp_ir_value x, unsigned argument)
{
	const char *name = lp_ir_callee(x);

	return begins(name, "lp_load") || begins(name, "lp_atomic_load") || argument == 2;
}

/* A copy of the site: what is inlined elsewhere has it, too. */
static void mark_private(struct lp_ir *ir, lp_ir_value x)
{
	uint32_t site;

	if (!lp_ir_site_of(ir, LLVMGetOperand(x, 0), &site))
		LP_BUG("a hook without a site");
	site = lp_ir_site_copy(ir, site);
	lp_ir_site_record(ir, site)->flags |= LP_SITE_PRIVATE;
	LLVMSetOperand(x, 0, lp_ir_site_address(ir, site));
}

/* An atomic load or store of private memory is like a plain one. */
static lp_ir_value make_plain(struct lp_ir *ir, lp_ir_value x)
{
	const char *name = lp_ir_callee(x);
	const bool is_load = begins(name, "lp_atomic_load");
	char plain[32];

	if (!is_load && !begins(name, "lp_atomic_store"))
		return x;
	snprintf(plain, sizeof plain, "lp_%s", name + strlen("lp_atomic_"));
	lp_ir_value arguments[] = { LLVMGetOperand(x, 0), LLVMGetOperand(x, 1), is_load ? NULL : LLVMGetOperand(x, 2) };
	lp_ir_before(ir, x);
	const lp_ir_value made = lp_ir_call(ir, plain, is_load ? LLVMTypeOf(x) : ir->nothing, arguments, is_load ? 2 : 3);
	lp_ir_replace(x, is_load ? made : NULL);
	return made;
}

static void check(struct lp_ir *ir, lp_ir_value x, struct access a)
{
	const lp_ir_value address = LLVMGetOperand(x, a.address), variable = lp_ir_only_root(address);

	if (!variable || !LLVMIsAAllocaInst(variable) || !lp_ir_is_static(variable) ||
	    lp_ir_is_within(ir, address, variable, a.length))
		return;
	lp_ir_before(ir, x);
	lp_ir_value arguments[] = { LLVMGetOperand(x, 0), address, a.length, variable,
				    lp_ir_number(ir, lp_ir_object_size(ir, variable)),
				    LLVMConstInt(ir->i1, !is_read(x, a.address), false) };
	lp_ir_call(ir, "lp_within", ir->nothing, arguments, 6);
}

static void check_hook(struct lp_ir *ir, lp_ir_value x, const struct lp_ir_values *private)
{
	struct access at[2];
	const unsigned count = accesses_of(ir, x, at);
	bool hidden = count;

	for (unsigned i = 0; i < count; i++)
		hidden = hidden && lp_ir_points_to(LLVMGetOperand(x, at[i].address), private);
	if (hidden) {
		mark_private(ir, x);
		x = make_plain(ir, x);
	}
	for (unsigned i = 0; i < count; i++)
		check(ir, x, at[i]);
}

void lp_ir_check_bounds(struct lp_ir *ir)
{
	struct lp_ir_values all = { 0 }, private = { 0 };

	LP_IR_EACH_FUNCTION(ir, f) {
		if (!lp_ir_is_defined(f))
			continue;
		lp_ir_find_private(ir, f, &private);
		lp_ir_instructions(f, &all);
		for (uint32_t i = 0; i < all.count; i++)
			if (LLVMIsACallInst(all.at[i]))
				check_hook(ir, all.at[i], &private);
	}
	lp_free(all.at);
	lp_free(private.at);
}
