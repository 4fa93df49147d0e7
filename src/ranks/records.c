/* records.c -- numbers, strings and memory that is mostly zero, in bytes. */
#include "ranks/records.h"

void lp_bytes_put_number(struct lp_bytes *to, uint64_t number)
{
	lp_bytes_put(to, &number, sizeof number);
}

void lp_bytes_put_string(struct lp_bytes *to, const void *bytes, size_t size)
{
	lp_bytes_put_number(to, size);
	lp_bytes_put(to, bytes, size);
}

void lp_bytes_put_line(struct lp_bytes *to, const char *text)
{
	lp_bytes_put_string(to, text, strlen(text) + 1);
}

enum { GAP = 32 }; /* fewer zeros than that do not end a run */

static size_t zeros_from(const uint8_t *bytes, size_t size)
{
	size_t n = 0;

	while (n < size && !bytes[n])
		n++;
	return n;
}

/* Up to GAP zeros in a row, or the end. */
static size_t run_from(const uint8_t *bytes, size_t size)
{
	size_t n = 0, zeros = 0;

	while (n < size && zeros < GAP)
		zeros = bytes[n++] ? 0 : zeros + 1;
	return n - zeros;
}

void lp_bytes_put_sparse(struct lp_bytes *to, const void *from, size_t size)
{
	const uint8_t *bytes = from;

	for (size_t at = 0; at < size;) {
		const size_t zeros = zeros_from(bytes + at, size - at), run = run_from(bytes + at + zeros, size - at - zeros);
		lp_bytes_put_number(to, zeros);
		lp_bytes_put_string(to, bytes + at + zeros, run);
		at += zeros + run;
	}
}

uint64_t lp_cursor_number(struct lp_cursor *r, uint64_t most)
{
	const uint64_t number = lp_cursor_u64(r);

	r->bad |= number > most;
	return r->bad ? 0 : number;
}

struct lp_cursor lp_cursor_string(struct lp_cursor *r)
{
	const size_t size = lp_cursor_u64(r);
	const uint8_t *at = lp_cursor_take(r, size);

	return (struct lp_cursor){ at, at ? size : 0, !at };
}

const char *lp_cursor_line(struct lp_cursor *r)
{
	const struct lp_cursor string = lp_cursor_string(r);

	if (!string.bad && string.left && memchr(string.at, '\0', string.left) == string.at + string.left - 1)
		return (const char *)string.at;
	r->bad = true;
	return "";
}

void lp_cursor_sparse(struct lp_cursor *r, void *to, size_t size)
{
	uint8_t *bytes = to;

	memset(bytes, 0, size);
	for (size_t at = 0; at < size && !r->bad;) {
		const size_t zeros = lp_cursor_u64(r);
		const struct lp_cursor run = lp_cursor_string(r);
		if (r->bad || zeros > size - at || run.left > size - at - zeros || !(zeros + run.left)) {
			r->bad = true;
			break;
		}
		memcpy(bytes + at + zeros, run.at, run.left);
		at += zeros + run.left;
	}
}
