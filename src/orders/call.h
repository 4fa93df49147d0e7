/* call.h -- finds function calls in source text, with their names and arguments, without a full parser. */
#ifndef LP_ORDERS_CALL_H
#define LP_ORDERS_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LP_CALL_ARGS = 8 }; /* calls with more arguments are not recognised */

struct lp_text {
	const char *at;
	size_t size;
};

struct lp_piece_of_text {
	size_t start, end; /* offsets in the text; `end` is exclusive */
};

/* A call, as offsets in the text. */
struct lp_call_text {
	struct lp_piece_of_text whole;  /* from the first qualifier to the closing parenthesis */
	struct lp_piece_of_text name;   /* without qualifiers */
	struct lp_piece_of_text args[LP_CALL_ARGS];
	uint32_t count;      /* the number of arguments */
	size_t close;        /* offset of the closing parenthesis */
	bool member;         /* called with . or ->, as in x.load() */
};

/* Reads the call that begins at offset `at` with its name, or with the first qualifier of its name (std::).  Returns false if
 * no call begins there. */
bool lp_text_call(const struct lp_text *, size_t at, struct lp_call_text *);

/* Returns the offset of the first character, from the given offset on, that is not white space; the size of the text if
 * there is none. */
size_t lp_text_skip_blanks(const struct lp_text *, size_t);
/* Returns the piece from `start` to `end` without leading and trailing white space. */
struct lp_piece_of_text lp_text_trimmed(const struct lp_text *, size_t start, size_t end);

/* Does the piece equal, begin with, end with, or contain the given string? */
bool lp_text_is(const struct lp_text *, struct lp_piece_of_text, const char *what);
bool lp_text_begins(const struct lp_text *, struct lp_piece_of_text, const char *with);
bool lp_text_ends(const struct lp_text *, struct lp_piece_of_text, const char *with);
bool lp_text_contains(const struct lp_text *, struct lp_piece_of_text, const char *what);

#endif
