/* tokens.h -- splits the texts of formulae and grammars into words, numbers and signs.
 *
 * A comment goes from "//" to the end of the line.  Positions are lines and columns from 1, and errors begin with
 * "name:line:column: ".
 */
#ifndef LP_CHECK_COUNTING_TOKENS_H
#define LP_CHECK_COUNTING_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_error;

enum lp_token { LP_TOKEN_END, LP_TOKEN_WORD, LP_TOKEN_NUMBER, LP_TOKEN_SIGN };

struct lp_tokens {
	const char *name; /* of the text, for errors */
	const char *at, *end; /* the text after the current token */
	const char *const *signs; /* the signs of the language, longest first; NULL ends the list */
	struct lp_error *error;
	bool failed; /* an error was set */

	/* The current token. */
	enum lp_token kind;
	const char *text;
	size_t length;
	int64_t number; /* if it is a LP_TOKEN_NUMBER */
	const char *begin; /* the beginning of the whole text, to compute positions */
};

/* Reads the first token. */
void lp_tokens_open(struct lp_tokens *t, const char *name, const char *text, size_t length,
		    const char *const *signs, struct lp_error *error);
void lp_tokens_next(struct lp_tokens *t);

/* Continues at another position of the same text. */
void lp_tokens_seek(struct lp_tokens *t, const char *to);

/* Is the current token `text`? */
bool lp_tokens_is(const struct lp_tokens *t, const char *text);
/* If the current token is `text`, both functions skip it and return true.  Otherwise, they return false, and
 * lp_tokens_expect() sets an error. */
bool lp_tokens_skip(struct lp_tokens *t, const char *text);
bool lp_tokens_expect(struct lp_tokens *t, const char *text);

/* Set an error, unless one was set before: lp_tokens_wrong() at the current token, lp_tokens_fail() at `at`.  Both
 * return false. */
bool lp_tokens_wrong(struct lp_tokens *t, const char *what); /* "what, not 'token'" */
bool lp_tokens_fail(struct lp_tokens *t, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
