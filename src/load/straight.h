/* straight.h -- a look at a few instructions of the program. */
#ifndef LP_LOAD_STRAIGHT_H
#define LP_LOAD_STRAIGHT_H

#include <stdbool.h>
#include <stdint.h>

/* Does the straight code in [from, to) write memory?  Writes relative to the stack
 * or frame pointer count only if `stack`.  True where it cannot be told: code that
 * branches, or that we cannot read. */
bool lp_straight_code_writes(uintptr_t from, uintptr_t to, bool stack);

#endif
