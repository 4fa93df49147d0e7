/* store.h -- files of the user's cache, by key.
 *
 * The folder is $XDG_CACHE_HOME/linchpin or ~/.cache/linchpin.  $LINCHPIN_CACHE can name another folder, or be "off".  The folder
 * and its files are used only if they belong to the user, and other users cannot write them.  If the folder cannot be used, there
 * is no cache, and no message says so.
 *
 *     FOLDER/1/3f/8a..e2.so     the bytes, then a footer with their number and a checksum
 *            |  |  +-- the rest of the key, and the kind of file
 *            |  +-- the shard: six bits of the key
 *            +-- the version of the format
 *
 * A file is written under a temporary name and then renamed, so that a reader in any process sees a whole file or none.  A damaged
 * file counts as missing and is replaced.  The size of the cache is limited ($LINCHPIN_CACHE_SIZE in MB, 512 by default).  When a
 * shard exceeds its share of this size, its least recently used files are removed.
 */
#ifndef LP_FRONTEND_CACHE_STORE_H
#define LP_FRONTEND_CACHE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"

#define LP_STORE_PATH 512

struct lp_store {
	char folder[LP_STORE_PATH - 96];
	uint64_t most; /* the limit on the bytes in a shard */
};

/* A mapped file. */
struct lp_stored {
	const char *bytes;
	size_t size;       /* without the footer */
	size_t mapped;     /* with the footer */
	char path[LP_STORE_PATH];
};

/* Returns false if there is no cache.  There is nothing to close. */
bool lp_store_open(struct lp_store *);

/* Maps a file.  Returns false if there is no such file, or if it is damaged. */
bool lp_store_get(const struct lp_store *, const struct lp_digest *key, const char *kind, struct lp_stored *);
void lp_store_release(struct lp_stored *);

/* Stores the bytes, and replaces an earlier file with this key and kind.  Returns false if that fails. */
bool lp_store_put(const struct lp_store *, const struct lp_digest *key, const char *kind, const void *bytes,
		  size_t size);

#endif
