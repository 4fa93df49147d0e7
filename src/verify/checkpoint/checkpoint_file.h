/* checkpoint_file.h -- the file of a checkpoint: four parts, and a digest of them.
 *
 *     "linchpin checkpoint 1\n"
 *     size of the file, 8 bytes
 *     identity, totals, program, exploration: for each its length in 8 bytes, then its bytes
 *     a digest of everything above, 32 bytes
 *
 * The identity is text, so that a message can name the line in which two identities differ.  A new file is written under another name
 * in the same folder, and renamed when it is on disk.  So after a crash, either the old or the new file exists.
 *
 * If several processes use the same file, only one writes it.  A process locks the file that it has read or last written, and replaces
 * or removes only that file.
 */
#ifndef LP_VERIFY_CHECKPOINT_CHECKPOINT_FILE_H
#define LP_VERIFY_CHECKPOINT_CHECKPOINT_FILE_H

#include "base/error.h"
#include "ranks/bytes.h"

enum lp_checkpoint_part {
	LP_CHECKPOINT_IDENTITY,
	LP_CHECKPOINT_TOTALS,
	LP_CHECKPOINT_PROGRAM,     /* lp_native_write() */
	LP_CHECKPOINT_EXPLORATION, /* keep.h; empty: the exploration starts from the beginning */
	LP_CHECKPOINT_PARTS
};

struct lp_checkpoint_parts {
	struct lp_cursor at[LP_CHECKPOINT_PARTS];
};

void lp_checkpoint_format(const struct lp_checkpoint_parts *, struct lp_bytes *);

/* Finds the parts without copying them.  Returns false, with the reason, if these are not the bytes of a checkpoint; `path` is for the
 * message. */
bool lp_checkpoint_parse(const uint8_t *, size_t size, const char *path, struct lp_checkpoint_parts *, struct lp_error *);

/* The file that a process writes. */
struct lp_checkpoint_file {
	const char *path;
	bool held; /* the file exists, and this process has locked it as `fd` */
	int fd;
};

/* Prepares to write the file at `path`.  `from` is the file that is resumed, or NULL.  If `from` and `path` are the same, this process
 * holds the file from now on.  Otherwise there must be no file at `path`, since it would be replaced: if there is one, the function
 * fails. */
bool lp_checkpoint_file_open(struct lp_checkpoint_file *, const char *from, struct lp_error *);
void lp_checkpoint_file_close(struct lp_checkpoint_file *);
/* Removes the file if this process holds it. */
void lp_checkpoint_file_remove(struct lp_checkpoint_file *);

bool lp_checkpoint_write(struct lp_checkpoint_file *, const struct lp_checkpoint_parts *, struct lp_error *);
/* Reads the file into `bytes`, to which the parts point. */
bool lp_checkpoint_read(const char *path, struct lp_bytes *bytes, struct lp_checkpoint_parts *, struct lp_error *);

#endif
