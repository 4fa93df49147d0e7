/* database.h -- compile_commands.json: the flags with which a project compiles its files.
 *
 * Only flags that change the meaning of a source are used: macros, include folders, the language's version.  Flags about warnings,
 * optimisation, code generation and output files are ignored.  Relative paths are relative to the folder that the entry of the
 * database names.
 */
#ifndef LP_FRONTEND_COMPILE_DATABASE_H
#define LP_FRONTEND_COMPILE_DATABASE_H

#include <limits.h>
#include <stdbool.h>

#include "frontend/compile/words_file.h"

struct lp_error;

/* Appends the flags for the file.  `folder` is the folder of the database, or the database itself.  If `folder` is NULL, the
 * database is searched for in the file's folder and in those above it.  `used` becomes the path of the database, or "" if
 * no database has an entry for the file.  For a header, the entry of the source that has the header's name (apart from the ending),
 * in the same folder, is used. */
bool lp_database_flags(const char *file, const char *folder, struct lp_words *flags, char used[static PATH_MAX],
		       struct lp_error *error);

/* The same as lp_database_flags(), for a database whose text was read already; `path` is for messages.  `*found`: the database has
 * an entry for the file. */
bool lp_database_read(char *text, const char *path, const char *file, struct lp_words *flags, bool *found,
		      struct lp_error *error);

#endif
