/* binary.h -- reads parts of object files, archives, shared objects and executables. */
#ifndef LP_FRONTEND_COMPILE_BINARY_H
#define LP_FRONTEND_COMPILE_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum lp_binary {
	LP_BINARY_NONE,    /* the file is of another kind, or cannot be read */
	LP_BINARY_OBJECT,  /* an object file */
	LP_BINARY_ARCHIVE,
	LP_BINARY_LINKED,  /* a shared object or an executable */
};

/* Returns the kind of the file, according to its first bytes. */
enum lp_binary lp_binary_kind(const char *path);

/* Returns the contents of the section, in memory of lp_alloc(); NULL if there is no such section. */
char *lp_binary_section(int fd, const char *name, size_t *size);

/* Calls visit() for the text of each entry with that tag in the dynamic section.  For DT_NEEDED the text is the name of a shared
 * object; for DT_RUNPATH and DT_RPATH it is a list of folders separated by ':'. */
void lp_binary_dynamic(int fd, int64_t tag, void (*visit)(void *closure, const char *text),
		       void *closure);

/* Calls visit() for each member of an archive.  If visit() returns false, the function stops and returns false, too.  The archive
 * may be thin: such an archive contains only the names of its members' files. */
bool lp_binary_archive_members(const char *path,
			bool (*visit)(void *closure, const char *name, const char *bytes,
				      size_t size),
			void *closure, struct lp_error *);

/* Returns the contents of the file, in memory of lp_alloc(), with a NUL after them; NULL if the file cannot be read. */
char *lp_binary_read(const char *path, size_t *size);

/* Writes the file.  Returns false if that fails. */
bool lp_binary_write(const char *path, const char *bytes, size_t size);

#endif
