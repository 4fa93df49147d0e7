/* error.h -- errors of the user's input or environment, in one line.
 *
 * Functions that can fail return false and fill in a struct lp_error; a caller
 * that knows more wraps it.  Errors in linchpin itself are reported by LP_BUG().
 */
#ifndef LP_BASE_ERROR_H
#define LP_BASE_ERROR_H

#include <stdbool.h>

struct lp_error {
	char text[1024]; /* "cannot load 'queue.so': no symbol 'main'" */
	char hint[512];  /* "" or what to do about it */
};

/* Fills `error` (NULL is fine) and returns false. */
bool lp_fail(struct lp_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* An internal error: says where, and exits with status 70. */
#define LP_BUG(...) lp_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void lp_bug(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
