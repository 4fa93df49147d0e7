/* written.h -- detects reads of uninitialised local variables that LLVM promotes to values.
 *
 * Memory that other threads may know has a shadow, in which the runtime looks up whether a byte was written
 * (runtime/memory/heap.h).  A private variable becomes a value, for which there is no shadow.  So before the variable becomes a
 * value, this pass adds a second variable, which has a flag for each byte of the first.  Each access of the private variable gets
 * an access to the flags:
 *
 *     int x;                 char set[4] = { 0 };
 *     if (c)
 *             x = 1;         set[0..3] = ~0;
 *     use(x);                lp_defined(site, set[0..3] == ~0);
 *
 * LLVM promotes the flags to values, too.  If a variable is written on all paths, its flags are constants, and
 * the check is removed; otherwise the flags depend on the path.
 *
 * The rule is the same as for memory: reading bytes that were never written is an error.  There are two exceptions: bytes may be
 * copied together with the structure of which they are a part, and bytes may be read in order to change a bit-field next to them.
 * `int x = x;`, which silences a compiler warning, is no error either; x stays uninitialised.
 */
#ifndef LP_FRONTEND_IR_STATE_WRITTEN_H
#define LP_FRONTEND_IR_STATE_WRITTEN_H

#include "frontend/ir/ir.h"

/* Inserts flags and checks for these variables, which must be fixed (fixed.h).  Their accesses may be hooks, or the loads and
 * stores of the source. */
void lp_ir_check_written(struct lp_ir *, lp_ir_value function, const struct lp_ir_values *variables);

/* Does the same for all variables, in all functions, that are fixed and that no hook accesses. */
void lp_ir_check_all_written(struct lp_ir *);

/* Removes the checks that are known to hold.  To be called after a pass of LLVM. */
void lp_ir_drop_checks(struct lp_ir *);

#endif
