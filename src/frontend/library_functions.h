/* library_functions.h -- properties of library functions, by their names. */
#ifndef LP_FRONTEND_LIBRARY_FUNCTIONS_H
#define LP_FRONTEND_LIBRARY_FUNCTIONS_H

#include <stdbool.h>

/* Does the runtime provide the function? */
bool lp_library_is_modelled(const char *name);

/* Does the function access only its arguments and its own memory?  If so, it needs no model. */
bool lp_library_is_harmless(const char *name);

/* Does the behaviour of a program that calls the function depend on the calling thread? */
bool lp_library_asks_who(const char *name);

/* Does the function return a number that identifies the calling thread?  (The program may compute with such a number.) */
bool lp_library_numbers_threads(const char *name);

#endif
