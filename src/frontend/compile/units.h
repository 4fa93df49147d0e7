/* units.h -- decides which units make up a program.  A unit is a file that `linchpin cc` has compiled (fat.h). */
#ifndef LP_FRONTEND_COMPILE_UNITS_H
#define LP_FRONTEND_COMPILE_UNITS_H

#include <limits.h>
#include <stdbool.h>

#include "frontend/compile/fat.h"

struct lp_command;

/* Reads the units of all files among the linker's words that contain units, and of the libraries that these files need, if they
 * contain units.  Removes from the linker's words the files whose units were read, and adds the needed libraries without units.
 * `file` is the file to be checked; NULL if it is a source, which contains no units. */
bool lp_units_take(struct lp_units *, struct lp_command *link, const char *file, const char *folder,
		   struct lp_findings *, struct lp_error *);

/* Finds the library of -lNAME in the folders of -L.  Returns false if it is in none of them; the caller then takes it to be a
 * library of the system. */
bool lp_units_library(const struct lp_command *link, const char *name, char path[static PATH_MAX]);

/* Is the symbol used, but not defined by the units taken so far? */
typedef bool lp_is_missing(const void *closure, const char *name);

/* Returns the next unit of the program; NULL if there are no more.  As linkers do, the function takes only those units from archives that
 * define a missing symbol. */
const struct lp_unit *lp_units_next(struct lp_units *, lp_is_missing *, const void *closure);

/* Returns false, with the error set, if a symbol is still missing that only a foreign file (fat.h) defines. */
bool lp_units_suffice(const struct lp_units *, lp_is_missing *, const void *closure,
		      struct lp_error *);

/* Sets the error, which says that the file was not compiled by `linchpin cc`.  Returns false. */
bool lp_units_refuse(const char *file, struct lp_error *);

#endif
