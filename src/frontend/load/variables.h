/* variables.h -- names the part of a variable, or of an object of some type, at an offset. */
#ifndef LP_FRONTEND_LOAD_VARIABLES_H
#define LP_FRONTEND_LOAD_VARIABLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the path from the variable at `address` (of the file) to the scalar at
 * `offset` in it: "", ".tail", "[3].next", or "+8" where types do not tell.  The path ends before internal
 * members of the C or C++ library. */
void lp_variable_path(Dwarf *, uint64_t address, uint64_t offset, char *out, size_t size);

/* The structure, class or union with that key (ir/access/names.h).  Returns false if debug information has
 * none. */
bool lp_variable_type_find(Dwarf *, const char *key, Dwarf_Die *type);

/* Does the type end with a flexible array member, so that an object can be larger than its type? */
bool lp_variable_type_is_open(Dwarf_Die *type);

/* Writes the path in an object of that type.  `whole`: if a structure or array begins at the offset, the
 * path names it and not its first scalar; "" is the object itself. */
void lp_variable_type_path(Dwarf_Die *type, uint64_t offset, bool whole, char *out, size_t size);

#endif
