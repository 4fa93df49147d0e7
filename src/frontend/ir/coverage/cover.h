/* cover.h -- which code is executed.
 *
 * Marks that set flags (marks.h, frontend/abi.h) go into the functions of the user's own files, as clang made them and before
 * any other pass: so lines and branches are those of the source, and no optimisation has an influence.
 *
 *     br c, then, end         -->    flag[k + c] = 1          k: it was false, k + 1: it was true
 *                                    br c, then, end
 *
 * A function's entry has a flag, each way out of a branch, what comes behind a call, which might not return,
 * and where an exception arrives.  All else follows: a block without a flag was executed if one of
 * those was that control comes from.
 *
 * These are no accesses of the program (insert_hooks.c), do not count for inlining (prepare.c), and what is used for
 * them only counts as unused (state/results.c): the program has the same operations and live states as without.
 */
#ifndef LP_FRONTEND_IR_COVERAGE_COVER_H
#define LP_FRONTEND_IR_COVERAGE_COVER_H

#include "frontend/ir/ir.h"

void lp_ir_insert_coverage(struct lp_ir *);

/* The struct lp_coverage of the module, a constant. */
lp_ir_value lp_ir_define_coverage(struct lp_ir *);

#endif
