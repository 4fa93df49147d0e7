/* words.h -- words of a source file that make its translation depend on more than its text. */
#ifndef LP_FRONTEND_CACHE_WORDS_H
#define LP_FRONTEND_CACHE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* False if there is one that we cannot answer for: __DATE__, embed, a __has_include without a name,
 * and parts of such words.  `text` has a NUL behind it.  `*quotes` if something is included by other
 * than <...>.  Calls asked() for the name in each __has_include.
 *
 * Comments and literals do not count, unless it is not obvious where one of them ends. */
bool lp_words_plain(const char *text, size_t size, bool *quotes,
		    void (*asked)(void *closure, const char *name, size_t length), void *closure);

#endif
