/* fat.h -- object files that contain a twin in LLVM's intermediate representation.
 *
 * `linchpin cc` compiles every file twice: as requested, and for linchpin.  The second result, the
 * twin, is put into a section of the first, ".linchpin", which is never loaded.  It survives the
 * user's build, because linkers concatenate such sections and archives keep them.  So a library or
 * an executable runs as usual, and contains the twins of exactly those files that were linked into
 * it, each with
 *
 *     source queue.c              the file that was compiled
 *     symbol msqueue_enqueue      a symbol that the object (not the twin) defines
 *
 * A linked file may define a symbol that none of its twins' objects defines.  Such a symbol comes from a
 * file that was not compiled by `linchpin cc`: a foreign one.  Foreign files are reported, and nothing
 * is verified; a program that uses a foreign symbol cannot even run.
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
	char *twin;                   /* the object's bytes */
	size_t size;
	struct lp_unit_names defines; /* global symbols of an archive's member */
	bool member;                  /* it is a member of an archive, so it is part of the program only
				       * if needed */
	bool used;
};

struct lp_units {
	LP_VEC(struct lp_unit);
	struct lp_unit_names foreign; /* symbols that foreign files define */
	struct lp_unit_names foreign_files; /* the file of each of these symbols */
	struct lp_unit_names needed;  /* the shared libraries that are needed: paths, or names for -l: */
	struct lp_unit_names words;   /* arguments made for the linker: units.h */
};

/* Does the file, or a member of it, contain a twin? */
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
