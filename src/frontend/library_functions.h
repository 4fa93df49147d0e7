/* library_functions.h -- what is known of library functions by their names. */
#ifndef LP_FRONTEND_LIBRARY_FUNCTIONS_H
#define LP_FRONTEND_LIBRARY_FUNCTIONS_H

#include <stdbool.h>

/* Does the runtime provide it? */
bool lp_is_modelled(const char *name);

/* Does it touch no memory but its arguments' and its own, so that it needs no model? */
bool lp_is_harmless(const char *name);

/* Does what a program does that uses it depend on which thread does it? */
bool lp_asks_who(const char *name);

#endif
