/* variables.h -- which part of a global variable an offset is in. */
#ifndef LP_FRONTEND_LOAD_VARIABLES_H
#define LP_FRONTEND_LOAD_VARIABLES_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the path from the variable at `address` (of the file) to the scalar at
 * `offset` in it: "", ".tail", "[3].next", or "+8" where types do not tell.  It ends where
 * the insides of the C or C++ library begin. */
void lp_variable_path(Dwarf *, uint64_t address, uint64_t offset, char *out, size_t size);

#endif
