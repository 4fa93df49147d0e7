/* risky_words.h -- finds risky words, which make the translation of a source file depend on more than its
 * text. */
#ifndef LP_FRONTEND_CACHE_RISKY_WORDS_H
#define LP_FRONTEND_CACHE_RISKY_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Is the text free of risky words?  Returns false if it contains one of the words of includes.h, condition 5; parts from which ##
 * can make such a word; or a __has_include whose argument is not a name.  `text` is terminated by a NUL.  Sets `*quotes` if an
 * #include has an argument other than <...>.  Calls asked() for the name in each __has_include.
 *
 * Comments and literals do not count, unless it is unclear where one of them ends. */
bool lp_words_plain(const char *text, size_t size, bool *quotes,
		    void (*asked)(void *closure, const char *name, size_t length), void *closure);

#endif
