/* user_line.h -- finds the line of the user's code that called library code.
 *
 * An operation on a std::atomic is performed somewhere in <bits/atomic_base.h>, but a report should show
 * the line of the user's code that called it.  For each function that was inlined, debug information has the
 * line of the call.  Library code that was not inlined is shown at its own line.
 */
#ifndef LP_FRONTEND_LOAD_USER_LINE_H
#define LP_FRONTEND_LOAD_USER_LINE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

/* `unit` is the compilation unit of the address.  Writes the line of the user's code for the address, such as "queue.cpp:31".
 * Returns false if it is not known. */
bool lp_user_line(Dwarf_Die *unit, Dwarf_Addr address, char *out, size_t size);

/* Returns the name of the function that contains the address, such as "push"; inlined functions do not count.  Returns NULL if the
 * function is unknown. */
const char *lp_user_function(Dwarf_Die *unit, Dwarf_Addr address);

/* Demangles a name: "ring" for "_ZL4ring", "pool::free" for "_ZN4pool4freeE".  Names that contain types and
 * arguments are demangled completely only if the C++ library is loaded. */
void lp_user_plain_name(const char *symbol, char *out, size_t size);

#endif
