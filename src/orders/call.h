/* call.h -- finds calls in a source text, with their names and arguments, without parsing the language. */
#ifndef LP_ORDERS_CALL_H
#define LP_ORDERS_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LP_CALL_ARGS = 8 };

struct lp_text {
	const char *at;
	size_t size;
};

struct lp_piece_of_text {
	size_t start, end; /* of the text */
};

struct lp_call_text {
	struct lp_piece_of_text whole;  /* from the first qualifier to the closing parenthesis */
	struct lp_piece_of_text name;   /* without qualifiers */
	struct lp_piece_of_text args[LP_CALL_ARGS];
	uint32_t count;
	size_t close;        /* the closing parenthesis */
	bool member;         /* x.load() */
};

/* The call whose name begins at `at`, qualifiers included.  False if there is none. */
bool lp_text_call(const struct lp_text *, size_t at, struct lp_call_text *);

size_t lp_text_skip_blanks(const struct lp_text *, size_t);
/* The piece without leading and trailing blanks. */
struct lp_piece_of_text lp_text_trimmed(const struct lp_text *, size_t start, size_t end);

/* Comparisons of a piece with a text. */
bool lp_text_is(const struct lp_text *, struct lp_piece_of_text, const char *what);
bool lp_text_begins(const struct lp_text *, struct lp_piece_of_text, const char *with);
bool lp_text_ends(const struct lp_text *, struct lp_piece_of_text, const char *with);
bool lp_text_contains(const struct lp_text *, struct lp_piece_of_text, const char *what);

#endif
