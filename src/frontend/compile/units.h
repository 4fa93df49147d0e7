/* units.h -- decides which files compiled by `linchpin cc`, the units, make up a program. */
#ifndef LP_FRONTEND_COMPILE_UNITS_H
#define LP_FRONTEND_COMPILE_UNITS_H

#include <limits.h>
#include <stdbool.h>

#include "frontend/compile/fat.h"

struct lp_command;

/* Takes units out of the linker's words: the files that contain units, and the libraries with units that these files need.
 * Adds the other libraries that they need.  `file` is the file to be checked; NULL if it is a source, which contains no
 * units. */
bool lp_units_take(struct lp_units *, struct lp_command *link, const char *file, const char *folder,
		   struct lp_findings *, struct lp_error *);

/* Finds -lNAME in the folders of -L.  Returns false if it is not there; then it is a library of the system. */
bool lp_units_library(const struct lp_command *link, const char *name, char path[static PATH_MAX]);

/* Is the symbol used, but not defined by the units taken so far? */
typedef bool lp_is_missing(const void *closure, const char *name);

/* The next unit of the program; NULL if there are no more.  As linkers do, it takes from archives only units that define a
 * missing symbol. */
const struct lp_unit *lp_units_next(struct lp_units *, lp_is_missing *, const void *closure);

/* Returns false if a symbol that only a foreign file (fat.h) defines is still missing. */
bool lp_units_suffice(const struct lp_units *, lp_is_missing *, const void *closure,
		      struct lp_error *);

/* Returns false, with an error that says that the file was not compiled by `linchpin cc`. */
bool lp_units_refuse(const char *file, struct lp_error *);

#endif
