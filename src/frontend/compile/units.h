/* units.h -- which of the files that `linchpin cc` has compiled make up a program. */
#ifndef LP_FRONTEND_COMPILE_UNITS_H
#define LP_FRONTEND_COMPILE_UNITS_H

#include <limits.h>
#include <stdbool.h>

#include "frontend/compile/fat.h"

struct lp_command;

/* Takes from the words for the linker the files that have units, and libraries that they need
 * and that have units, too; other libraries that they need are added.  `file` is what is to be
 * checked, `is_source` if it is none of these. */
bool lp_units_take(struct lp_units *, struct lp_command *link, const char *file, bool is_source,
		   const char *folder, struct lp_findings *, struct lp_error *);

/* -lNAME, looked for where -L says; false: if it is anywhere, it is the system's. */
bool lp_units_library(const struct lp_command *link, const char *name, char path[static PATH_MAX]);

/* Is the symbol used, and not defined by what is part of the program so far? */
typedef bool lp_is_missing(const void *closure, const char *name);

/* The next unit that is part of it: of archives, those that define something that is missing,
 * as linkers have it.  NULL if there are no more. */
const struct lp_unit *lp_units_next(struct lp_units *, lp_is_missing *, const void *closure);

/* False if something is still missing that only a stranger has. */
bool lp_units_suffice(const struct lp_units *, lp_is_missing *, const void *closure,
		      struct lp_error *);

/* Says that the file was not compiled by `linchpin cc`; false. */
bool lp_units_refuse(const char *file, struct lp_error *);

#endif
