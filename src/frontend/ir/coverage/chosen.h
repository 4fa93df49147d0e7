/* chosen.h -- which functions are the object's. */
#ifndef LP_FRONTEND_IR_COVERAGE_CHOSEN_H
#define LP_FRONTEND_IR_COVERAGE_CHOSEN_H

#include "frontend/ir/ir.h"

/* The functions whose lines and branches count: those of the user's own files.  Left out is what the harness
 * does around the calls (LP_SETUP, LP_TEARDOWN, LP_INVARIANT, and what its macros are made of), a specification
 * of one's own, which is not run here, and the main() of an object that has one. */
void lp_ir_choose_covered(struct lp_ir *, struct lp_ir_values *functions);

#endif
