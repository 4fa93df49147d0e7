/* store.h -- files of the user's cache, by key.
 *
 * The folder is $XDG_CACHE_HOME/linchpin, or ~/.cache/linchpin; $LINCHPIN_CACHE names another
 * one, or is "off".  It belongs to the user and nobody else can read or write it: a folder or a
 * file of which that is not true is not used.  Where there is no such folder, there is no cache,
 * and nothing is said about it.
 *
 *     FOLDER/1/3f/8a..e2.so     the bytes, then a footer with their number and a checksum
 *            |  |  +-- the rest of the key, and the kind of file
 *            |  +-- the first byte of the key, but for two bits: a shard
 *            +-- the version of the format
 *
 * Files are written under another name and renamed: readers see all of a file or nothing, in
 * however many processes.  A file that is damaged is as good as none, and is replaced.  Files
 * that were not used for the longest time are removed when their shard has more than its part of
 * the bound: $LINCHPIN_CACHE_SIZE in MB, or 512.
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
	uint64_t most; /* bytes in a shard */
};

/* A file as it is mapped; `path` is for others to open it. */
struct lp_stored {
	const char *bytes;
	size_t size;       /* without the footer */
	size_t mapped;
	char path[LP_STORE_PATH];
};

/* False if there is no cache.  Nothing is to be closed. */
bool lp_store_open(struct lp_store *);

/* False if there is no such file, or it is damaged. */
bool lp_store_get(const struct lp_store *, const struct lp_digest *key, const char *kind, struct lp_stored *);
void lp_store_release(struct lp_stored *);

/* Puts the bytes there; false if that cannot be done. */
bool lp_store_put(const struct lp_store *, const struct lp_digest *key, const char *kind, const void *bytes,
		  size_t size);

#endif
