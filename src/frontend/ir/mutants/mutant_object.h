/* mutant_object.h -- decides which functions of a program are the object, that is, the code that is mutated.
 *
 * A function in the user's files belongs to the object if methods of the harness, LP_SETUP or constructors of globals can reach it,
 * but not if only the specification, LP_INVARIANT or LP_TEARDOWN can.  A method of the harness itself belongs to the object only if
 * it has atomic accesses or fences of its own; other methods only pass their arguments on.
 */
#ifndef LP_FRONTEND_IR_MUTANTS_MUTANT_OBJECT_H
#define LP_FRONTEND_IR_MUTANTS_MUTANT_OBJECT_H

#include "frontend/ir/ir.h"

/* Inlines the operations of std::atomic, which are functions of a system header, so that each use can be changed separately. */
bool lp_ir_inline_atomics(struct lp_ir *, struct lp_error *);

/* Lists the functions of the object, in the order of the module. */
void lp_ir_find_object(struct lp_ir *, struct lp_ir_values *);

/* Is the function a method of the harness?  The results of methods are not mutated, because they are the results that the
 * specification describes. */
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
