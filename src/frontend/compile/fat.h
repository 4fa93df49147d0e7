/* fat.h -- object files that carry their twin in LLVM's intermediate representation.
 *
 * `linchpin cc` compiles every file twice: as it was asked to, and for linchpin.  The second
 * result travels in a section of the first that is never loaded, ".linchpin", through whatever
 * the user's build does: linkers concatenate such sections, archives keep them.  So a library
 * or an executable runs as if nothing had been, and has in it the twins of just those files
 * that it is made of, each with
 *
 *     source queue.c              what was compiled
 *     symbol msqueue_enqueue      what the object itself, not the twin, defines
 *
 * What a linked file defines and none of its twins' objects did comes from elsewhere: from a
 * file that was not compiled by `linchpin cc`, a stranger.  It is named, and nothing is
 * verified; if the program uses it, it cannot even be run.
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

/* A file that was compiled, and in what it was found. */
struct lp_unit {
	char *source;                 /* NULL: it has no twin */
	char *from;                   /* "libqueue.a(queue.o)", "build/queue.so" */
	char *twin;                   /* the object's bytes */
	size_t size;
	struct lp_unit_names defines; /* global symbols of an archive's member */
	bool member;                  /* only part of the program if something needs it */
	bool used;
};

struct lp_units {
	LP_VEC(struct lp_unit);
	struct lp_unit_names strange; /* what strangers define, and in which file ... */
	struct lp_unit_names strangers; /* ... each of them is */
	struct lp_unit_names needed;  /* shared libraries: paths, or names for -l: */
	struct lp_unit_names words;   /* that were made for the linker: units.h */
};

/* Is a twin in the file, or in a member of it? */
bool lp_fat_is(const char *path);

/* Adds the units of a file, and what is strange in it; of that, `findings` is told, too.
 * `folder` is for temporary files. */
bool lp_fat_read(struct lp_units *, const char *path, const char *folder, struct lp_findings *,
		 struct lp_error *);
void lp_units_drop(struct lp_units *);

/* Puts the twin of `source` into the object file. */
bool lp_fat_write(const char *object, const char *twin, const char *source, const char *folder,
		  struct lp_error *);

#endif
