/* written.h -- reads of local variables that were never written, where LLVM makes values of them.
 *
 * Memory that others may know of has a shadow, in which the runtime looks up whether a byte was written
 * (runtime/memory/heap.h).  A private variable becomes a value, which has no bytes.  So before that it gets
 * a second variable, with a flag for each byte, and for every access an access to the flags:
 *
 *     int x;                 char set[4] = { 0 };
 *     if (c)
 *             x = 1;         set[0..3] = ~0;
 *     use(x);                lp_defined(site, set[0..3] == ~0);
 *
 * LLVM makes values of the flags, too.  Where a variable is written on all paths its flags are constants,
 * and the check is dropped; elsewhere they are a value that tells the paths apart.
 *
 * The rule is the same as for memory: reading bytes that were never written is an error, unless they are
 * copied with the structure that they are part of, or are read to change a bit-field next to them.  Nor is
 * `int x = x;` an error, which only tells the compiler not to warn; x stays unwritten.
 */
#ifndef LP_FRONTEND_IR_STATE_WRITTEN_H
#define LP_FRONTEND_IR_STATE_WRITTEN_H

#include "frontend/ir/ir.h"

/* Inserts flags and checks for these variables, which are fixed (fixed.h).  Their accesses are hooks, or
 * loads and stores of the source. */
void lp_ir_check_written(struct lp_ir *, lp_ir_value function, const struct lp_ir_values *variables);

/* The same for all variables of all functions that are fixed and not hooked. */
void lp_ir_check_all_written(struct lp_ir *);

/* After a pass of LLVM's: drops the checks that can be seen to hold. */
void lp_ir_drop_checks(struct lp_ir *);

#endif
