/* database.h -- compile_commands.json: the flags with which a project compiles its files.
 *
 * Only flags that change the meaning of a source are taken: macros, include folders, the language's version.  Those about
 * warnings, optimisation, code generation and output files are ignored.  Relative paths are relative to the folder that
 * the entry names.
 */
#ifndef LP_FRONTEND_COMPILE_DATABASE_H
#define LP_FRONTEND_COMPILE_DATABASE_H

#include <limits.h>
#include <stdbool.h>

#include "frontend/compile/words_file.h"

struct lp_error;

/* Appends the flags for the file, by the database in `folder` (or of that name), or if that is NULL by the one in the
 * file's folder, or in the nearest of those that it is in.  `used` is the database's path, "" if there is none that has
 * the file; of a header, a source of the same name beside it will do. */
bool lp_database_flags(const char *file, const char *folder, struct lp_words *flags, char used[static PATH_MAX],
		       struct lp_error *error);

/* The same, with the text of a database of that path. */
bool lp_database_read(char *text, const char *path, const char *file, struct lp_words *flags, bool *found,
		      struct lp_error *error);

#endif
