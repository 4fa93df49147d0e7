/* mutant_object.h -- decides which functions of a program are the object, that is, the code that is mutated.
 *
 * The object consists of all functions in the user's files that methods of the harness, LP_SETUP or constructors of globals can reach.
 * A method of the harness belongs to the object if it has atomic accesses or fences of its own, but not if it only
 * passes its arguments on.  Functions that only the specification, LP_INVARIANT or LP_TEARDOWN reach do not
 * belong to the object.
 */
#ifndef LP_FRONTEND_IR_MUTANTS_MUTANT_OBJECT_H
#define LP_FRONTEND_IR_MUTANTS_MUTANT_OBJECT_H

#include "frontend/ir/ir.h"

/* Inlines the operations of std::atomic, which are functions of a system header, so that each use can be changed separately. */
bool lp_ir_inline_atomics(struct lp_ir *, struct lp_error *);

/* The functions of the object, in the order of the module. */
void lp_ir_find_object(struct lp_ir *, struct lp_ir_values *);

/* Is the function a method of the harness?  The results of methods are those that the specification describes, and are not mutated. */
bool lp_ir_is_method(lp_ir_value function);

/* A place in the user's files.  If an instruction comes from a system header, its place is that of the call in the user's file.
 * lp_ir_place() returns false if there is none. */
struct lp_ir_place {
	uint32_t file, function; /* texts */
	uint32_t line, column;
	bool library;            /* the code itself is in a system header */
};
bool lp_ir_place(struct lp_ir *, lp_ir_value instruction, struct lp_ir_place *);

#endif
