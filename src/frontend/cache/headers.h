/* headers.h -- digests and risky words of headers that have not changed for a day.
 *
 * Before a result is kept, every file that clang has read is read again, for its digest and for risky
 * words (risky_words.h).  For a C++ program that is several megabytes of system headers, the same ones each
 * time.  What was found is therefore kept in one file of the store, by stamp: a header with the
 * stamp of a file that was read before, and whose last change is at least a day old, has the same contents.
 */
#ifndef LP_FRONTEND_CACHE_HEADERS_H
#define LP_FRONTEND_CACHE_HEADERS_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/cache/inputs.h"
#include "frontend/cache/store.h"

/* Followed by the names that it asks for (__has_include), each with its end. */
struct lp_header {
	struct lp_stamp stamp;
	struct lp_digest digest;
	uint32_t quotes; /* something is included by other than <...> */
	uint32_t asked;  /* bytes of the names, filled to a multiple of 8 */
};

struct lp_headers {
	const struct lp_store *store;
	struct lp_stored known;
	struct lp_input_bytes fresh; /* since it was opened */
};

void lp_headers_open(struct lp_headers *, const struct lp_store *);
/* Writes down what is new. */
void lp_headers_close(struct lp_headers *);

/* NULL if it is not known. */
const struct lp_header *lp_headers_find(const struct lp_headers *, const struct lp_stamp *);
/* `asked` of the header is the size of `names`. */
void lp_headers_add(struct lp_headers *, struct lp_header, const char *names);

#endif
