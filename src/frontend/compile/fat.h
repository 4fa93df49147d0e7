/* fat.h -- object files that contain a twin in LLVM's intermediate representation.
 *
 * `linchpin cc` compiles every file twice: as requested, and for linchpin.  The first result is an object file, the second is
 * called the twin.  The twin is put into a section of the object file, ".linchpin", which is never loaded.  The twin survives the
 * user's build, because linkers concatenate such sections and archives keep them.  So a library or an executable runs as usual, and
 * contains the twins of exactly those files that were linked into it.  With each twin, the section has these lines:
 *
 *     source queue.c              the file that was compiled
 *     symbol msqueue_enqueue      a symbol that the object (not the twin) defines
 *
 * A linked file may define a symbol that none of these lines names.  Such a symbol is called foreign.  It comes from a foreign
 * file: one that was not compiled by `linchpin cc`.  Foreign files are reported, and the verdict is not "verified".  A program that
 * uses a foreign symbol is not run.
 */
#ifndef LP_FRONTEND_COMPILE_FAT_H
#define LP_FRONTEND_COMPILE_FAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/vec.h"
#include "frontend/compile/compile.h"

struct lp_unit_names {
	LP_VEC(char *);
};

/* A unit: a compiled file, and where it was found. */
struct lp_unit {
	char *source;                 /* NULL: the unit has no twin */
	char *from;                   /* "libqueue.a(queue.o)", "build/queue.so" */
	char *twin;                   /* the bytes of the twin */
	size_t size;                  /* the number of these bytes */
	struct lp_unit_names defines; /* for a member of an archive: its global symbols */
	bool member;                  /* the unit is a member of an archive, and part of the program only if it is needed */
	bool used;                    /* lp_units_next() has returned the unit (units.h) */
};

struct lp_units {
	LP_VEC(struct lp_unit);
	struct lp_unit_names foreign; /* symbols that foreign files define */
	struct lp_unit_names foreign_files; /* for each symbol of `foreign`, the file that defines it */
	struct lp_unit_names needed;  /* the shared libraries that are needed: paths, or names for the linker's option -l:NAME */
	struct lp_unit_names words;   /* strings of arguments for the linker that units.h has made */
};

/* Does the file, or, if it is an archive, one of its members, contain a twin? */
bool lp_fat_is(const char *path);

/* Adds the units of a file, and its foreign symbols, which are also added to `findings`.  `folder` is for
 * temporary files. */
bool lp_fat_read(struct lp_units *, const char *path, const char *folder, struct lp_findings *,
		 struct lp_error *);
void lp_units_drop(struct lp_units *);

/* Puts the twin of `source` into the object file. */
bool lp_fat_write(const char *object, const char *twin, const char *source, const char *folder,
		  struct lp_error *);

#endif
