/* texts.h -- texts as values: each text is represented by a number, and equal texts have equal numbers.
 *
 * The numbers are LP_TEXT_FIRST, LP_TEXT_FIRST + 1, ...  They are less than LP_LOWEST (linchpin/spec.h), which is the lowest
 * number that stands for itself in a history.
 */
#ifndef LP_HISTORY_TEXTS_H
#define LP_HISTORY_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#define LP_TEXT_FIRST (INT64_MIN + 16)

struct lp_texts;

struct lp_texts *lp_texts_open(void);
void lp_texts_close(struct lp_texts *t); /* NULL is fine */
/* Returns the number of the text.  If the text is new, the table stores a copy. */
int64_t lp_texts_value(struct lp_texts *t, const char *text, size_t length);

/* Returns the text with this number; NULL if there is none. */
const char *lp_texts_text(const struct lp_texts *t, int64_t value, size_t *length);

/* Returns the number of the concatenation of two texts; LP_NIL counts as the empty text.  Returns LP_VOID if another value is not a
 * text.  The member `join` of struct lp_spec_call is set to this function. */
int64_t lp_texts_join(void *texts, int64_t left, int64_t right);

#endif
