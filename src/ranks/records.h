/* records.h -- numbers, strings and memory that is mostly zero, written to and read from the byte strings of bytes.h.
 *
 * A caller may read everything that it expects, and check `bad` once at the end, because a cursor never reads past
 * its end.
 */
#ifndef LP_RANKS_RECORDS_H
#define LP_RANKS_RECORDS_H

#include "ranks/bytes.h"

void lp_bytes_put_number(struct lp_bytes *, uint64_t);
/* Appends the length, then the bytes. */
void lp_bytes_put_string(struct lp_bytes *, const void *, size_t size);
/* Appends a text with its terminating zero. */
void lp_bytes_put_line(struct lp_bytes *, const char *);
/* Appends memory that is mostly zero, as runs of bytes, each with the number of zeros before it. */
void lp_bytes_put_sparse(struct lp_bytes *, const void *, size_t size);

/* Reads a number.  Sets `bad` if it is larger than `most`. */
uint64_t lp_cursor_number(struct lp_cursor *, uint64_t most);
/* Returns a cursor for the bytes of the string, which are not copied. */
struct lp_cursor lp_cursor_string(struct lp_cursor *);
/* Returns the text, which is not copied; "" if there is none. */
const char *lp_cursor_line(struct lp_cursor *);
/* Reads memory of exactly that size. */
void lp_cursor_sparse(struct lp_cursor *, void *to, size_t size);

/* Were all bytes read, without a read beyond the end? */
static inline bool lp_cursor_ended(const struct lp_cursor *r)
{
	return !r->bad && !r->left;
}

#endif
