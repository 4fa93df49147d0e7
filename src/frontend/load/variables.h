/* variables.h -- finds names for parts of variables, and of objects of a known type, by their offsets. */
#ifndef LP_FRONTEND_LOAD_VARIABLES_H
#define LP_FRONTEND_LOAD_VARIABLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the path from a variable to the scalar at `offset` in it: "", ".tail", "[3].next", or "+8" where the type
 * is not known.  `address` is the variable's address in the file.  If the path would lead to internal members of the C or C++
 * library, it ends before them. */
void lp_variable_path(Dwarf *, uint64_t address, uint64_t offset, char *out, size_t size);

/* Finds the structure, class or union with that key (lp_ir_type_key() in ir/access/names.h).  Returns false if debug information has
 * none. */
bool lp_variable_type_find(Dwarf *, const char *key, Dwarf_Die *type);

/* Does the type end with a flexible array member, so that an object can be larger than its type? */
bool lp_variable_type_is_open(Dwarf_Die *type);

/* Writes the path to the scalar at `offset` in an object of that type.  `whole`: if a structure or array begins at the offset, the
 * path is that of the structure or array, and not of its first scalar; "" stands for the object itself. */
void lp_variable_type_path(Dwarf_Die *type, uint64_t offset, bool whole, char *out, size_t size);

#endif
