/* words_file.c -- command lines of compilers: words, and response files (@FILE) with more of them. */
#include "frontend/compile/words_file.h"

#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "frontend/compile/binary.h"

enum { DEEPEST = 16 }; /* files in files */

void lp_words_drop(struct lp_words *words)
{
	for (uint32_t i = 0; i < words->count; i++)
		lp_free(words->at[i]);
	lp_free(words->at);
	*words = (struct lp_words){ 0 };
}

char *lp_words_next(char **text)
{
	char *at = *text, *word, *out, quote = 0;

	while (isspace((unsigned char)*at))
		at++;
	if (!*at)
		return NULL;
	for (word = out = at; *at && (quote || !isspace((unsigned char)*at)); at++) {
		if (*at == '\\' && at[1] && quote != '\'')
			*out++ = *++at;
		else if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? 0 : *at;
		else
			*out++ = *at;
	}
	*text = *at ? at + 1 : at;
	*out = '\0';
	return word;
}

static bool add(struct lp_words *out, const char *word, int depth, struct lp_error *error)
{
	size_t size;
	char *text = word[0] == '@' && word[1] ? lp_binary_read(word + 1, &size) : NULL;

	if (!text) { /* also what cannot be read is taken as it is */
		LP_PUSH(out, lp_strdup(word));
		return true;
	}
	bool good = depth < DEEPEST || lp_fail(error, "'%s': response files are nested too deeply", word);
	char *rest = text;
	for (char *next; good && (next = lp_words_next(&rest));)
		good = add(out, next, depth + 1, error);
	lp_free(text);
	return good;
}

bool lp_words_expand(struct lp_words *out, const char *const *words, int count,
		     struct lp_error *error)
{
	for (int i = 0; i < count; i++)
		if (!add(out, words[i], 0, error))
			return false;
	return true;
}
