/* inputs.h -- everything in the file system that a result depends on.
 *
 * There are four kinds:
 *
 *   contents   a file with the same contents: a source, a header;
 *   stamp      a file or folder that was not modified: the compiler's libraries, folders that the
 *              compiler searches;
 *   identity   the same folder, with any contents: an entry of the include path;
 *   nothing    a name that does not exist: a header with that name would shadow another one.
 *
 * The stamp of a file is its device, inode, size, mtime and ctime (in nanoseconds).  Usually, if the stamp is
 * unchanged, so are the contents.  But if the file was changed just before the stamp was taken, a later change may get the same
 * times as this one.  In this case, the contents are compared, too.
 *
 * Inputs are noted after the compiler has used them, and other programs may change them in between.  So lp_inputs.start is a time
 * before the first file was read, and a result is not kept if a file was changed at or after this time.  This ensures that the
 * noted inputs are those that were read.
 */
#ifndef LP_FRONTEND_CACHE_INPUTS_H
#define LP_FRONTEND_CACHE_INPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/digest.h"
#include "base/fingerprints.h"
#include "base/vec.h"

struct lp_stamp {
	uint64_t device, inode, size;
	int64_t changed, status; /* nanoseconds */
};

enum lp_input_kind { LP_INPUT_CONTENTS, LP_INPUT_STAMP, LP_INPUT_IDENTITY, LP_INPUT_NOTHING };

struct lp_input_bytes {
	LP_VEC(char);
};

/* STAYS: the folder has not changed for a day, so it is noted with its stamp.  CHANGES: it has changed recently, so each name that must
 * not appear in it is noted. */
enum lp_input_folder { LP_FOLDER_MISSING, LP_FOLDER_STAYS, LP_FOLDER_CHANGES };

struct lp_input_folder_seen {
	struct lp_fingerprint name;
	enum lp_input_folder is;
};

/* Inputs in the form in which a file stores them: see inputs.c. */
struct lp_inputs {
	int64_t start;      /* lp_inputs_now(), before anything was read */
	bool broken;        /* an input has changed, or cannot be described, so the result is not kept */
	struct lp_input_bytes bytes;
	struct lp_fingerprints seen; /* names that were noted, or need not be noted */
	struct {
		LP_VEC(struct lp_input_folder_seen);
	} folders;          /* the folders in which certain names must not appear */
};

/* The clock that file systems use. */
int64_t lp_inputs_now(void);

/* Returns false if there is no such file or folder. */
bool lp_stamp_of(const char *path, struct lp_stamp *);

/* Was the last change at least a day before `now`? */
bool lp_stamp_is_old(const struct lp_stamp *, int64_t now);

/* Notes an input.  For lp_inputs_note_contents(), the stamp must have been taken after the contents were read. */
void lp_inputs_note(struct lp_inputs *, enum lp_input_kind, const char *path);
void lp_inputs_note_contents(struct lp_inputs *, const char *path, const struct lp_stamp *,
			     const struct lp_digest *);

/* Notes that the result depends on FOLDER/NAME not existing. */
void lp_inputs_note_shadow(struct lp_inputs *, const char *folder, const char *name);

/* Are all inputs unchanged?  `bytes` is a list of inputs that was read from a file. */
bool lp_inputs_hold(const char *bytes, size_t size);

/* Returns the contents of the file, with a NUL after them, in memory of lp_alloc(); NULL if it is not an ordinary file. */
char *lp_inputs_read(const char *path, size_t *size);

void lp_inputs_drop(struct lp_inputs *);

#endif
