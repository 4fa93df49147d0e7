/* written.h -- detects reads of uninitialised local variables that LLVM promotes to values.
 *
 * Memory that other threads may know has a shadow, in which the runtime looks up whether a byte was written
 * (runtime/memory/heap.h).  A private variable becomes a value, which has no bytes.  So before that it gets
 * a second variable with a flag for each byte, and each access gets an access to the flags:
 *
 *     int x;                 char set[4] = { 0 };
 *     if (c)
 *             x = 1;         set[0..3] = ~0;
 *     use(x);                lp_defined(site, set[0..3] == ~0);
 *
 * LLVM promotes the flags to values, too.  If a variable is written on all paths, its flags are constants, and
 * the check is removed; otherwise they depend on the path.
 *
 * The rule is the same as for memory: reading bytes that were never written is an error, unless they are
 * copied with the structure that they are part of, or are read to change a bit-field next to them.
 * `int x = x;`, which is written to silence a compiler warning, is no error either; x stays uninitialised.
 */
#ifndef LP_FRONTEND_IR_STATE_WRITTEN_H
#define LP_FRONTEND_IR_STATE_WRITTEN_H

#include "frontend/ir/ir.h"

/* Inserts flags and checks for these variables, which are fixed (fixed.h).  Their accesses are hooks, or
 * loads and stores of the source. */
void lp_ir_check_written(struct lp_ir *, lp_ir_value function, const struct lp_ir_values *variables);

/* The same for all variables of all functions that are fixed and not hooked. */
void lp_ir_check_all_written(struct lp_ir *);

/* To be called after a pass of LLVM: removes the checks that are known to hold. */
void lp_ir_drop_checks(struct lp_ir *);

#endif
