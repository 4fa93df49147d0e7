/* ir.h -- a program in LLVM's intermediate representation, being instrumented.
 *
 * This file has what the passes of this folder share: the module, types, and functions that answer questions about values or build
 * code.  linchpin-fe (instrumenter.c) runs the passes in this order; lines in parentheses are passes of LLVM:
 *
 *     coverage     code that is reached sets flags
 *     (coroutines are split, matrices become vectors)
 *     lower        inline assembly that is understood becomes atomic instructions
 *     orders       memory orders that are variables get checks for invalid values, which are made when the program runs
 *     mutants      a small change, if `linchpin mutants` asks for one
 *     ifuncs       functions that are chosen when the program is loaded become pointers
 *     prepare      attributes that optimisers rely on and programs may violate are dropped;
 *                  calls of functions that the runtime provides become calls of shims
 *     hooks        accesses become calls of hooks (frontend/abi.h)
 *     locals       thread-local variables become memory that the runtime provides
 *     inlining     small functions become part of their callers
 *     written      private variables get flags that say which of their bytes are written
 *     (promotion of variables to values, inlining)
 *     privatise    hooks on variables that turn out to be private become plain accesses again
 *     (promotion of variables to values, simplification)
 *     bounds       accesses of variables that are left in memory get checks that they stay within them
 *     addresses    finds out whether the program looks at addresses in a thread's stack
 *     objects      the lifetimes of the variables that are left in memory are reported; these variables get room between them
 *     frames       live values are kept in explicit frames
 *     sites        the records of sites, which hooks and frames refer to, are written; globals get room between them
 *     emit         optimisation and object code
 *
 * Hooks are inserted before any optimisation of LLVM has run.  For LLVM, a hook is a call of an unknown function,
 * so no later pass can remove an access, add one, or merge two accesses.
 */
#ifndef LP_FRONTEND_IR_IR_H
#define LP_FRONTEND_IR_IR_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "frontend/abi.h"

typedef LLVMValueRef lp_ir_value;

struct lp_ir_values {
	LP_VEC(lp_ir_value);
};

/* A thread-local variable, in the memory that the runtime gives to each thread. */
struct lp_ir_local {
	uint64_t offset, size;
	uint32_t name, type; /* texts: see lp_variable */
};

/* The place in the source of a call that returns memory, and the type of the memory
 * (allocated.h). */
struct lp_ir_allocation {
	LLVMMetadataRef scope;
	unsigned line, column;
	uint32_t type;
};

struct lp_ir_sites; /* site_records.h */
struct lp_ir_names; /* names.h */
struct lp_ir_cover; /* coverage/cover.h */

struct lp_ir {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMTargetDataRef layout;
	LLVMTypeRef i1, i8, i32, i64, i128, ptr, nothing;
	LLVMValueRef current;        /* the global lp_current */
	LLVMTypeRef current_type;
	struct lp_ir_sites *sites;
	struct lp_ir_names *names;
	struct lp_ir_cover *cover;   /* NULL: no coverage is recorded */
	struct {
		LP_VEC(struct lp_ir_local);
	} locals;
	struct {
		LP_VEC(struct lp_ir_allocation);
	} allocations;
	unsigned tells_threads_apart; /* bits of enum lp_tells_apart */
	bool reads_files;            /* the program's assembly may read files, by .incbin for example */
};

/* ---- walking ---- */

/* The index of attributes of a whole function.  (LLVM's constant is negative, but LLVMAttributeIndex is unsigned.) */
#define LP_IR_OF_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

#define LP_IR_EACH_FUNCTION(ir, f) \
	for (LLVMValueRef f = LLVMGetFirstFunction((ir)->module); f; f = LLVMGetNextFunction(f))
#define LP_IR_EACH_BLOCK(f, b) \
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
#define LP_IR_EACH_INSTRUCTION(b, x) \
	for (LLVMValueRef x = LLVMGetFirstInstruction(b); x; x = LLVMGetNextInstruction(x))
#define LP_IR_EACH_USE(v, u) \
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))

/* Lists all instructions of the function, in order.  This is for passes that change the function while they go through it. */
void lp_ir_instructions(lp_ir_value function, struct lp_ir_values *);
bool lp_ir_values_have(const struct lp_ir_values *, lp_ir_value);
/* Returns false if the value was there already. */
bool lp_ir_values_add(struct lp_ir_values *, lp_ir_value);
/* Adds the functions, variables and constants that the values refer to, directly or through others. */
void lp_ir_values_reach(struct lp_ir_values *);

/* ---- questions ---- */

static inline bool lp_ir_is_defined(lp_ir_value function)
{
	return LLVMIsAFunction(function) && LLVMGetFirstBasicBlock(function);
}

static inline bool lp_ir_is_call(lp_ir_value x)
{
	return LLVMIsACallInst(x) || LLVMIsAInvokeInst(x);
}

const char *lp_ir_name(lp_ir_value);
/* Returns the name of the function that is called; "" if the call is indirect. */
const char *lp_ir_callee(lp_ir_value call);
/* Is x a call of a function whose name begins with `prefix`? */
bool lp_ir_is_intrinsic(lp_ir_value x, const char *prefix);
/* Is x an atomic load, store or read-modify-write?  Returns false for fences. */
bool lp_ir_is_atomic(lp_ir_value x);
uint64_t lp_ir_size(const struct lp_ir *, LLVMTypeRef);        /* the number of bytes that an
							        * access touches */
uint64_t lp_ir_object_size(const struct lp_ir *, lp_ir_value alloca); /* 0 if the size is not constant */
/* The name of allocas with room: such an alloca is a structure of three parts, of which the middle one is the variable. */
#define LP_IR_ROOMY "lp.roomy"
/* Returns the address of the variable itself (of the middle part, if there is room around it), computed at the builder's position. */
lp_ir_value lp_ir_object_address(struct lp_ir *, lp_ir_value alloca);
/* Does the variable exist from the beginning of the function, and is its size constant? */
bool lp_ir_is_static(lp_ir_value alloca);
/* Returns an attribute of a call's argument.  It may be given at the call, or, if the call is direct, at the function. */
LLVMAttributeRef lp_ir_argument_attribute(lp_ir_value call, unsigned argument, const char *name);

/* ---- building ---- */

/* Moves the builder before x.  New instructions get x's place in the source. */
void lp_ir_before(struct lp_ir *, lp_ir_value x);
/* Returns the first instruction of the function that is not an alloca. */
lp_ir_value lp_ir_entry(lp_ir_value function);
/* Makes a new private variable of the function. */
lp_ir_value lp_ir_variable(struct lp_ir *, lp_ir_value function, LLVMTypeRef, const char *name);
lp_ir_value lp_ir_number(const struct lp_ir *, uint64_t); /* of 64 bits */
/* Builds a call of the hook with that name, and declares the hook if necessary. */
lp_ir_value lp_ir_call(struct lp_ir *, const char *name, LLVMTypeRef result, lp_ir_value *arguments,
		       unsigned count);
/* Convert a scalar value to an integer of that many bytes, and back. */
lp_ir_value lp_ir_to_integer(struct lp_ir *, lp_ir_value, uint64_t size);
lp_ir_value lp_ir_from_integer(struct lp_ir *, lp_ir_value, LLVMTypeRef);
/* Moves x before another instruction.  x keeps its place in the source. */
void lp_ir_move_before(struct lp_ir *, lp_ir_value x, lp_ir_value other);
void lp_ir_replace(lp_ir_value x, lp_ir_value by); /* `by` is NULL if nothing uses x */

/* Runs the LLVM passes with these names, which are those of the program opt. */
bool lp_ir_run_passes(struct lp_ir *, const char *passes, struct lp_error *);

#endif
