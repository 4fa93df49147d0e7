/* inputs.h -- everything in the file system that a result depends on.
 *
 * There are four kinds:
 *
 *   contents   a file that was read: a source, a header;
 *   stamp      a file or folder that has not been touched: the compiler's libraries, folders in
 *              which the compiler looks for others;
 *   identity   a folder that is still the same one, whatever is in it now: an include path;
 *   nothing    a name that must not exist: a header there would be taken instead of another.
 *
 * A file's stamp is its device, inode, size, and the times of its last change and of its last
 * change of status, in nanoseconds.  Contents are compared only if the stamp differs, or was so
 * recent when it was taken that a later change may have left it as it was.
 *
 * Inputs are noted after they were used, and while others may write to them.  So nothing is noted
 * that was changed at or after `start`, when nothing had been read yet: what is seen now is what
 * was read then.
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

struct lp_bytes {
	LP_VEC(char);
};

enum lp_input_folder { LP_FOLDER_MISSING, LP_FOLDER_STAYS, LP_FOLDER_CHANGES };

struct lp_input_folder_seen {
	struct lp_fingerprint name;
	enum lp_input_folder is;
};

/* As they are written to a file: see inputs.c. */
struct lp_inputs {
	int64_t start;      /* lp_inputs_now(), before anything was read */
	bool broken;        /* something has changed, or cannot be told: do not use */
	struct lp_bytes bytes;
	struct lp_fingerprints seen; /* names that are noted, or need not be */
	struct {
		LP_VEC(struct lp_input_folder_seen);
	} folders;          /* in which names may appear */
};

/* The time as file systems see it. */
int64_t lp_inputs_now(void);

/* False if there is no such file or folder. */
bool lp_stamp_of(const char *path, struct lp_stamp *);

/* Has it not changed for a day? */
bool lp_stamp_is_old(const struct lp_stamp *, int64_t now);

/* Notes an input, or, with the stamp as it is after it was read, a file's contents. */
void lp_inputs_note(struct lp_inputs *, enum lp_input_kind, const char *path);
void lp_inputs_note_contents(struct lp_inputs *, const char *path, const struct lp_stamp *,
			     const struct lp_digest *);

/* Notes that there is no FOLDER/NAME; if there is one that is no file, that it stays as it is. */
void lp_inputs_note_shadow(struct lp_inputs *, const char *folder, const char *name);

/* Are these inputs, as they were written, what they were? */
bool lp_inputs_hold(const char *bytes, size_t size);

/* The file's contents, with a NUL after them, in memory of lp_alloc(); NULL if it is no ordinary file. */
char *lp_inputs_read(const char *path, size_t *size);

void lp_inputs_drop(struct lp_inputs *);

#endif
