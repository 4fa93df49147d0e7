/* error.h -- errors of the user's input or environment, in one line.
 *
 * Functions that can fail return false and fill in a struct lp_error; a caller
 * that knows more wraps it.  Errors in linchpin itself are reported by LP_BUG().
 */
#ifndef LP_BASE_ERROR_H
#define LP_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

struct lp_error {
	char text[1024]; /* "cannot load 'queue.so': no symbol 'main'" */
	char hint[512];  /* "" or what to do about it */
};

/* Fills `error` (NULL is fine) and returns false. */
bool lp_fail(struct lp_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What was meant by a word that is not known: the nearest of those that are offered, one after the other, by the number
 * of letters that differ.  One that is too far away is not suggested. */
struct lp_nearest {
	const char *word;  /* what was written, */
	size_t length;     /* so many letters of it */
	char best[64];     /* "": none is near */
	size_t distance;   /* of `best` */
};
void lp_nearest_offer(struct lp_nearest *, const char *known, size_t length);
/* "did you mean 'queue'?" in the hint, before what is there.  Returns false. */
bool lp_nearest_hint(const struct lp_nearest *, struct lp_error *error);

/* An internal error: says where, and exits with status 70. */
#define LP_BUG(...) lp_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void lp_bug(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What must hold, checked in debug builds (cmake -DLP_DEBUG=1, 2 or 3):
 *
 *     LP_HOLDS(c)   level 1: costs next to nothing where it stands
 *     LP_VALID(c)   level 2: a whole structure is looked at, such as a graph at every step
 *     LP_AGREES(c)  level 3: something derived is computed again, naively, and compared
 *
 * A condition that does not hold is an internal error.  Below its level a condition is compiled, but not evaluated, so it must
 * not have effects.  assert() is for what a release checks as well. */
#ifndef LP_DEBUG
#define LP_DEBUG 0
#endif
#define LP_HOLDS(condition) LP_MUST_HOLD(1, condition)
#define LP_VALID(condition) LP_MUST_HOLD(2, condition)
#define LP_AGREES(condition) LP_MUST_HOLD(3, condition)
#define LP_MUST_HOLD(level, condition) \
	do { \
		if (LP_DEBUG >= (level) && !(condition)) \
			LP_BUG("this does not hold: %s", #condition); \
	} while (0)

#endif
