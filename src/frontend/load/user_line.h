/* user_line.h -- the line of the user that called library code.
 *
 * An operation on a std::atomic is performed somewhere in <bits/atomic_base.h>, but a report should show
 * the user's line that called it.  Debug information has, for each function that was inlined, the
 * line that called it.  Library code that was not inlined is shown at its own line.
 */
#ifndef LP_FRONTEND_LOAD_USER_LINE_H
#define LP_FRONTEND_LOAD_USER_LINE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

/* "queue.cpp:31", of an address in that unit.  False if nothing is known of it. */
bool lp_user_line(Dwarf_Die *unit, Dwarf_Addr address, char *out, size_t size);

/* "push" for the function that the address is in, inlined ones apart; NULL if unknown. */
const char *lp_user_function(Dwarf_Die *unit, Dwarf_Addr address);

/* "ring" for "_ZL4ring", "pool::free" for "_ZN4pool4freeE"; with types and arguments where they are part of the name
 * and the C++ library is at hand. */
void lp_user_plain_name(const char *symbol, char *out, size_t size);

#endif
