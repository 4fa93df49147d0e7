/* mutant_object.h -- decides which functions of a program are the object, that is, the code that is mutated.
 *
 * These are all functions in the user's files that methods, the set-up or constructors of globals can reach, without the
 * harness itself.  If a method of the harness has atomic accesses or fences of its own, it belongs to the object.  If it only
 * passes its arguments on, it does not.  Functions that only the specification, LP_INVARIANT or LP_TEARDOWN reach do not
 * belong to the object.
 */
#ifndef LP_FRONTEND_IR_MUTANTS_MUTANT_OBJECT_H
#define LP_FRONTEND_IR_MUTANTS_MUTANT_OBJECT_H

#include "frontend/ir/ir.h"

/* Inlines the operations of std::atomic, which are functions of a system header, so that each use can be changed separately. */
bool lp_ir_inline_atomics(struct lp_ir *, struct lp_error *);

/* The functions of the object, in the order of the module. */
void lp_ir_find_object(struct lp_ir *, struct lp_ir_values *);

/* Is it a method of the harness?  The results of such functions are those of the specification, and are not mutated. */
bool lp_ir_is_method(lp_ir_value function);

/* A place in the user's files.  If the code is in a system header, it is the place of the call.  lp_ir_place() returns false if
 * there is none. */
struct lp_ir_place {
	uint32_t file, function; /* texts */
	uint32_t line, column;
	bool library;            /* the code itself is in a system header */
};
bool lp_ir_place(struct lp_ir *, lp_ir_value instruction, struct lp_ir_place *);

#endif
