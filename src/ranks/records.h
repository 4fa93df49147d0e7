/* records.h -- what is kept in files: numbers, strings and memory that is mostly zero, in the bytes of bytes.h.
 *
 * A function may read all that it expects from a reader, and look at `bad` once: nothing is read past its end.
 */
#ifndef LP_RANKS_RECORDS_H
#define LP_RANKS_RECORDS_H

#include "ranks/bytes.h"

void lp_bytes_put_number(struct lp_bytes *, uint64_t);
/* The length, then the bytes themselves. */
void lp_bytes_put_string(struct lp_bytes *, const void *, size_t size);
/* A text with its end. */
void lp_bytes_put_line(struct lp_bytes *, const char *);
/* Runs of bytes, with the zeros before them. */
void lp_bytes_put_sparse(struct lp_bytes *, const void *, size_t size);

/* A number that is at most `most`, or the reader is bad. */
uint64_t lp_cursor_number(struct lp_cursor *, uint64_t most);
/* In place, as a reader of its own. */
struct lp_cursor lp_cursor_string(struct lp_cursor *);
/* In place; "" if there is none. */
const char *lp_cursor_line(struct lp_cursor *);
/* Of exactly that size. */
void lp_cursor_sparse(struct lp_cursor *, void *to, size_t size);

/* Was all read, and nothing more? */
static inline bool lp_cursor_ended(const struct lp_cursor *r)
{
	return !r->bad && !r->left;
}

#endif
