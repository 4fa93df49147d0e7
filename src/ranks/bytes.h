/* bytes.h -- byte strings to be sent to another process or kept in a file.  Reading checks the length.
 *
 *     struct lp_bytes out = { 0 };
 *     lp_bytes_put(&out, &count, sizeof count);
 *     ...
 *     struct lp_cursor in = { out.at, out.count };
 *     lp_cursor_get(&in, &count, sizeof count);
 *     if (in.bad) ...                              // there were too few bytes
 */
#ifndef LP_RANKS_BYTES_H
#define LP_RANKS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/vec.h"

struct lp_bytes {
	LP_VEC(uint8_t);
};

static inline void lp_bytes_put(struct lp_bytes *to, const void *bytes, size_t size)
{
	LP_RESERVE(to, size);
	if (size)
		memcpy(to->at + to->count, bytes, size);
	to->count += (uint32_t)size;
}

/* Appends the length of the text, then its bytes. */
static inline void lp_bytes_put_text(struct lp_bytes *to, const char *text)
{
	const uint32_t length = (uint32_t)strlen(text);

	lp_bytes_put(to, &length, sizeof length);
	lp_bytes_put(to, text, length);
}

/* Reads bytes in order.  After a read beyond the end, `bad` is set, and all further reads return zeros. */
struct lp_cursor {
	const uint8_t *at;
	size_t left;
	bool bad;
};

/* Returns a pointer to the next `size` bytes, which are not copied; NULL if there are fewer. */
static inline const uint8_t *lp_cursor_take(struct lp_cursor *r, size_t size)
{
	const uint8_t *at = r->at;

	if (r->bad || size > r->left) {
		r->bad = true;
		return NULL;
	}
	r->at += size;
	r->left -= size;
	return at;
}

static inline bool lp_cursor_get(struct lp_cursor *r, void *to, size_t size)
{
	const uint8_t *from = lp_cursor_take(r, size);

	if (from && size)
		memcpy(to, from, size);
	else if (!from)
		memset(to, 0, size);
	return from != NULL;
}

static inline uint32_t lp_cursor_u32(struct lp_cursor *r)
{
	uint32_t n;

	lp_cursor_get(r, &n, sizeof n);
	return n;
}

static inline uint64_t lp_cursor_u64(struct lp_cursor *r)
{
	uint64_t n;

	lp_cursor_get(r, &n, sizeof n);
	return n;
}

/* Returns a copy of the text, which the caller frees; NULL if the bytes end before the text does. */
static inline char *lp_cursor_text(struct lp_cursor *r)
{
	const uint32_t length = lp_cursor_u32(r);
	const uint8_t *from = lp_cursor_take(r, length);

	if (!from)
		return NULL;
	char *text = lp_alloc((size_t)length + 1);
	memcpy(text, from, length);
	text[length] = '\0';
	return text;
}

#endif
