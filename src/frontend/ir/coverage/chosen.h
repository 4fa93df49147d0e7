/* chosen.h -- selects the functions whose coverage is recorded. */
#ifndef LP_FRONTEND_IR_COVERAGE_CHOSEN_H
#define LP_FRONTEND_IR_COVERAGE_CHOSEN_H

#include "frontend/ir/ir.h"

/* Selects the functions of the user's own files, without four kinds: the parts of the harness other than its methods (LP_SETUP,
 * LP_TEARDOWN, LP_INVARIANT, LP_PROPOSITION, and the functions that the harness's macros define); the user's own specification,
 * which does not run as a part of this program; the main() of an object; and functions that consist of assembly only. */
void lp_ir_choose_covered(struct lp_ir *, struct lp_ir_values *functions);

#endif
