/* texts.h -- texts as values: equal texts have equal numbers.
 *
 * The numbers count upwards from LP_TEXT_FIRST.  They are less than LP_LOWEST (linchpin/spec.h), the lowest number that
 * a history may contain.
 */
#ifndef LP_HISTORY_TEXTS_H
#define LP_HISTORY_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#define LP_TEXT_FIRST (INT64_MIN + 16)

struct lp_texts;

struct lp_texts *lp_texts_open(void);
void lp_texts_close(struct lp_texts *t); /* NULL is fine */
/* Returns the number of the text, of which it keeps a copy. */
int64_t lp_texts_value(struct lp_texts *t, const char *text, size_t length);

/* Returns the text with that value; NULL if `t` has none. */
const char *lp_texts_text(const struct lp_texts *t, int64_t value, size_t *length);

/* Returns the value of the concatenation of two texts.  This is the function for the member `join` of
 * struct lp_spec_call.  LP_NIL counts as the empty text; if another value is not a text, returns LP_VOID. */
int64_t lp_texts_join(void *texts, int64_t left, int64_t right);

#endif
