/* error.c -- errors of the user's input or environment, and errors in linchpin itself. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lp_fail(struct lp_error *error, const char *format, ...)
{
	if (error) {
		va_list args;
		va_start(args, format);
		vsnprintf(error->text, sizeof error->text, format, args);
		va_end(args);
		error->hint[0] = '\0';
	}
	return false;
}

/* The Damerau-Levenshtein distance (optimal string alignment): how many letters must be inserted, removed,
 * replaced, or exchanged with the next one.  Of the usual table, three rows are kept. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][64];

	for (size_t i = 0; i <= a_length; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
		for (size_t j = 0; j <= b_length; j++) {
			if (!i || !j) {
				row[j] = i + j;
				continue;
			}
			row[j] = above[j - 1] + (a[i - 1] != b[j - 1]);
			if (above[j] + 1 < row[j])
				row[j] = above[j] + 1;
			if (row[j - 1] + 1 < row[j])
				row[j] = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
	}
	return rows[a_length % 3][b_length];
}

void lp_nearest_offer(struct lp_nearest *n, const char *known, size_t length)
{
	if (!length || length >= sizeof n->best || !n->length || n->length >= sizeof n->best)
		return;
	const size_t d = distance(n->word, n->length, known, length);
	/* At most one letter in three may differ, and never all letters of a short word. */
	if (d > (length + 2) / 3 || d >= length || (n->best[0] && d >= n->distance))
		return;
	memcpy(n->best, known, length);
	n->best[length] = '\0';
	n->distance = d;
}

bool lp_nearest_hint(const struct lp_nearest *n, struct lp_error *error)
{
	char before[sizeof error->hint];

	if (error && n->best[0]) {
		memcpy(before, error->hint, sizeof before);
		snprintf(error->hint, sizeof error->hint, "did you mean '%s'?%s%.*s", n->best, *before ? " " : "",
			 (int)(sizeof before - sizeof n->best - 32), before);
	}
	return false;
}

_Noreturn void lp_bug(const char *file, int line, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, "linchpin: internal error at %s:%d: ", file, line);
	vfprintf(stderr, format, args);
	fputs("\nhint: this is a defect of linchpin, not of your code; no verdict was reached\n", stderr);
	va_end(args);
	_Exit(70);
}
