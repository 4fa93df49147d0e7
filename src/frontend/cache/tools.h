/* tools.h -- the compiler, the linker and linchpin-fe: their files, and what affects them. */
#ifndef LP_FRONTEND_CACHE_TOOLS_H
#define LP_FRONTEND_CACHE_TOOLS_H

#include <limits.h>
#include <stdbool.h>

struct lp_inputs;

/* The program's file, by $PATH and symbolic links; false if there is none, or if it is a script, which
 * could do anything. */
bool lp_tool_find(const char *name, char path[static PATH_MAX]);

/* Notes the shared libraries that it loads. */
void lp_tool_note(const char *name, struct lp_inputs *);

/* Notes where clang looks for configuration files, and for GCC's headers and libraries. */
void lp_tools_note(const char *compiler, struct lp_inputs *);

#endif
