/* headers.h -- digests and risky words of headers that have not changed for a day.
 *
 * Before a result is kept, every file that clang has read is read again, to compute its digest and to look for risky
 * words (risky_words.h).  For a C++ program these files are several megabytes of system headers, which are always the
 * same.  So a file of the store (store.h) maps the stamps of headers (inputs.h) to their digests and risky words.  If a header has
 * the same stamp as a file that was read before, and its last change is at least a day old, it also has the same contents as that
 * file.
 */
#ifndef LP_FRONTEND_CACHE_HEADERS_H
#define LP_FRONTEND_CACHE_HEADERS_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/cache/inputs.h"
#include "frontend/cache/store.h"

/* The record of a header.  It is followed by the names in the header's __has_include, each with its terminating zero. */
struct lp_header {
	struct lp_stamp stamp;
	struct lp_digest digest;
	uint32_t quotes; /* the header has an #include with an argument other than <...> */
	uint32_t asked;  /* the size of the names in bytes, padded to a multiple of 8 */
};

struct lp_headers {
	const struct lp_store *store;
	struct lp_stored known;
	struct lp_input_bytes fresh; /* records that were added since lp_headers_open() */
};

void lp_headers_open(struct lp_headers *, const struct lp_store *);
/* Stores the new records. */
void lp_headers_close(struct lp_headers *);

/* Finds the record of the header with that stamp; NULL if there is none. */
const struct lp_header *lp_headers_find(const struct lp_headers *, const struct lp_stamp *);
/* Adds a record, which is followed by `names`; their size is lp_header.asked. */
void lp_headers_add(struct lp_headers *, struct lp_header, const char *names);

#endif
