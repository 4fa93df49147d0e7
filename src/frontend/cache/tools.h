/* tools.h -- the compiler, the linker and linchpin-fe: their files, and what affects them. */
#ifndef LP_FRONTEND_CACHE_TOOLS_H
#define LP_FRONTEND_CACHE_TOOLS_H

#include <limits.h>
#include <stdbool.h>

struct lp_inputs;

/* Finds the file of a program, following $PATH and symbolic links.  Returns false if there is no such file, or
 * if it is not an ELF file, because a script may depend on anything. */
bool lp_tool_find(const char *name, char path[static PATH_MAX]);

/* Notes the shared libraries that the program's file names, but not those that these libraries name.
 * Marks the inputs as broken if the program is not found. */
void lp_tool_note(const char *name, struct lp_inputs *);

/* Notes the folders in which clang looks for its own configuration files, and for GCC's headers and libraries. */
void lp_tools_note(const char *compiler, struct lp_inputs *);

#endif
