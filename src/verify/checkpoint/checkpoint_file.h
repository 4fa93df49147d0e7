/* checkpoint_file.h -- the file of a checkpoint: four parts, and a digest of them.
 *
 *     "linchpin checkpoint 1\n"
 *     size of the file, 8 bytes
 *     identity, totals, program, exploration: a length of 8 bytes each, then so many bytes
 *     digest of all that, 32 bytes
 *
 * The identity is text, so that it can be said in which line two of them differ.  A file is written beside its place and renamed when
 * it is on disk: whenever the machine stops, the old one is there, or the new one.
 */
#ifndef LP_VERIFY_CHECKPOINT_CHECKPOINT_FILE_H
#define LP_VERIFY_CHECKPOINT_CHECKPOINT_FILE_H

#include "base/error.h"
#include "ranks/bytes.h"

enum lp_checkpoint_part {
	LP_CHECKPOINT_IDENTITY,
	LP_CHECKPOINT_TOTALS,
	LP_CHECKPOINT_PROGRAM,     /* lp_native_write() */
	LP_CHECKPOINT_EXPLORATION, /* keep.h; empty: from the beginning */
	LP_CHECKPOINT_PARTS
};

struct lp_checkpoint_parts {
	struct lp_cursor at[LP_CHECKPOINT_PARTS];
};

void lp_checkpoint_format(const struct lp_checkpoint_parts *, struct lp_bytes *);

/* The parts, in place.  False, with the reason, if these are not the bytes of a checkpoint; `path` is for the message. */
bool lp_checkpoint_parse(const uint8_t *, size_t size, const char *path, struct lp_checkpoint_parts *, struct lp_error *);

bool lp_checkpoint_write(const char *path, const struct lp_checkpoint_parts *, struct lp_error *);
/* Reads the file into `bytes`, to which the parts point. */
bool lp_checkpoint_read(const char *path, struct lp_bytes *bytes, struct lp_checkpoint_parts *, struct lp_error *);

/* Can the file be written, so far as can be told? */
bool lp_checkpoint_is_writable(const char *path, struct lp_error *);

#endif
