/* mutant_object.h -- what of a program is the object: the code that mutants differ in.
 *
 * That is all functions in the user's files that methods, the set-up or constructors of globals can reach, but for the
 * harness itself.  A method that only passes its arguments on is the harness'; one that has atomic accesses or fences
 * of its own is the object's.  What only the specification, LP_INVARIANT or LP_TEARDOWN reaches is not.
 */
#ifndef LP_FRONTEND_IR_MUTANTS_MUTANT_OBJECT_H
#define LP_FRONTEND_IR_MUTANTS_MUTANT_OBJECT_H

#include "frontend/ir/ir.h"

/* Operations of std::atomic are functions of a system header: they are inlined, so that each is where it is used. */
bool lp_ir_inline_atomics(struct lp_ir *, struct lp_error *);

/* The functions of the object, in the order of the module. */
void lp_ir_find_object(struct lp_ir *, struct lp_ir_values *);

/* Is it a method of the harness?  What it returns is for the specification, in words of its own. */
bool lp_ir_is_method(lp_ir_value function);

/* The user's line: that of the call, if the code is a system header's.  False if there is none. */
struct lp_ir_place {
	uint32_t file, function; /* texts */
	uint32_t line, column;
	bool library;            /* the code itself is the header's */
};
bool lp_ir_place(struct lp_ir *, lp_ir_value instruction, struct lp_ir_place *);

#endif
