/* error.h -- errors of the user's input or environment, in one line.
 *
 * Functions that can fail return false and fill in a struct lp_error.  Errors in linchpin itself are
 * reported by LP_BUG().
 */
#ifndef LP_BASE_ERROR_H
#define LP_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

struct lp_error {
	char text[1024]; /* "cannot load 'queue.so': no symbol 'main'" */
	char hint[512];  /* "" or what to do about it */
};

/* Fills in `error`, unless it is NULL, and returns false. */
bool lp_fail(struct lp_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Finds the known word that the user probably meant when writing an unknown one.  The caller offers the known words one after the
 * other; the one with the smallest edit distance is kept, unless it differs too much. */
struct lp_nearest {
	const char *word;  /* what the user wrote: `length` bytes */
	size_t length;
	char best[64];     /* the nearest word; "" if no word is near */
	size_t distance;   /* the edit distance of `best` */
};
void lp_nearest_offer(struct lp_nearest *, const char *known, size_t length);
/* Puts "did you mean 'queue'?" before the text of the hint.  Returns false. */
bool lp_nearest_hint(const struct lp_nearest *, struct lp_error *error);

/* Reports an internal error with its place in linchpin's source, and exits with status 70. */
#define LP_BUG(...) lp_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void lp_bug(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Assertions, checked in debug builds (cmake -DLP_DEBUG=1, 2 or 3):
 *
 *     LP_HOLDS(c)   level 1: the condition is cheap
 *     LP_VALID(c)   level 2: the condition examines a whole structure, such as a graph at every step
 *     LP_AGREES(c)  level 3: the condition computes a derived result again, naively, and compares the two
 *
 * A condition that does not hold is an internal error.  If LP_DEBUG is below the level of a condition, the condition is compiled, but
 * not evaluated.  So conditions must not have side effects.  assert() is for conditions that a release build checks, too. */
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
