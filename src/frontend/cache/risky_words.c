/* risky_words.c -- finds risky words in the text of a source file. */
#define _GNU_SOURCE
#include "frontend/cache/risky_words.h"

#include <string.h>

static const char *const risky[] = {
	"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_embed", "__has_include", "__has_include_next",
};

struct word {
	const char *at;
	size_t length;
};

static bool is(struct word word, const char *text)
{
	return strlen(text) == word.length && !memcmp(word.at, text, word.length);
}

/* A table, because most of the time is spent on this question. */
static const bool letters[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true,
};

static inline bool is_letter(char c)
{
	return letters[(unsigned char)c];
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *at)
{
	while (is_blank(*at))
		at++;
	return at;
}

/* The word before the blanks and the opening parenthesis that are before `at`. */
static struct word word_before(const char *text, const char *at)
{
	struct word word = { at, 0 };

	while (word.at > text && (is_blank(word.at[-1]) || word.at[-1] == '('))
		word.at--;
	while (word.at > text && is_letter(word.at[-1]))
		word.at--, word.length++;
	return word;
}

/* Is it the beginning of one of the risky words, of four letters or more, or an end that leaves out
 * three at most?  If two parts are pasted together (##) to a risky word, one of them is. */
static bool is_part(struct word word)
{
	/* By their first letters, most words are neither. */
	if (word.length < 4 || !strchr("_DATIha", word.at[0]) ||
	    (word.at[0] == '_' && !strchr("_DTh", word.at[1])))
		return false;
	for (size_t i = 0; i < sizeof risky / sizeof *risky; i++) {
		const size_t length = strlen(risky[i]);
		if (word.length < length &&
		    ((word.length >= 4 && !memcmp(word.at, risky[i], word.length)) ||
		     (word.length + 3 >= length &&
		      !memcmp(word.at, risky[i] + length - word.length, word.length))))
			return true;
	}
	return false;
}

/* Parts stand beside ##, or are arguments of macros, or all that a macro stands for.  With "struct" before
 * it, as in libstdc++, it is not part of a condition. */
static bool may_be_pasted(const char *text, struct word word)
{
	const char *after = skip_blanks(word.at + word.length);

	return is_part(word) && (strchr(",)#\\/\r\n", *after) || (word.at > text && word.at[-1] == '#')) &&
	       !is(word_before(text, word.at), "struct");
}

/* Is it only asked whether it is defined: "defined __has_include", "#ifdef __has_include"? */
static bool is_tested(const char *text, struct word word)
{
	const struct word before = word_before(text, word.at);

	return is(before, "defined") || is(before, "ifdef") || is(before, "ifndef");
}

/* __has_include(<NAME>), or none. */
static bool take_question(const char *text, struct word word, struct word *name)
{
	const char *at = skip_blanks(word.at + word.length);

	name->length = 0;
	if (*at != '(')
		return is_tested(text, word);
	at = skip_blanks(at + 1);
	if (*at != '<' && *at != '"')
		return false;
	name->at = at + 1;
	name->length = strcspn(name->at, *at == '<' ? ">\n" : "\"\n");
	return name->length && name->at[name->length] != '\n';
}

/* What comes next, if lines that are continued are put together. */
static char next_joined(const char *at)
{
	while (*at == '\\') {
		const char *end = skip_blanks(at + 1);
		end += *end == '\r';
		if (*end != '\n')
			break;
		at = end + 1;
	}
	return *at;
}

/* A word that goes on in the next line. */
static bool is_spliced(const char *end)
{
	return *end == '\\' && is_letter(next_joined(end));
}

/* #include, %:include; and what is between may be in a comment, or in the line before. */
static bool is_directive(const char *text, const char *at)
{
	while (at > text && is_blank(at[-1]))
		at--;
	return at > text && strchr("#:/\n", at[-1]);
}

static bool take_word(const char *text, struct word word, bool *quotes,
		      void (*asked)(void *closure, const char *name, size_t length), void *closure)
{
	switch (word.at[0]) {
	case 'e':
		return !is(word, "embed");
	case 'i':
		if ((is(word, "include") || is(word, "include_next") || is(word, "import")) &&
		    is_directive(text, word.at))
			*quotes |= *skip_blanks(word.at + word.length) != '<';
		return true;
	case '_':
		if (is(word, "__has_include") || is(word, "__has_include_next")) {
			struct word name;
			if (!take_question(text, word, &name))
				return false;
			if (name.length)
				asked(closure, name.at, name.length);
			return true;
		}
		if (is(word, "__DATE__") || is(word, "__TIME__") || is(word, "__TIMESTAMP__") ||
		    is(word, "__has_embed"))
			return false;
		return !may_be_pasted(text, word);
	default:
		return !may_be_pasted(text, word);
	}
}

/* ---- comments and literals ---- */

/* Behind a literal; NULL if it does not end in its line. */
static const char *skip_literal(const char *at)
{
	const char quote = *at++;

	for (; *at != quote; at++) {
		if (*at == '\\' && at[1])
			at++;
		if (!*at || *at == '\n')
			return NULL;
	}
	return at + 1;
}

/* Behind a comment; NULL if a line is continued where that decides about its end. */
static const char *skip_comment(const char *at)
{
	const char *end = at + 2;

	if (at[1] == '/') {
		end = strchrnul(at, '\n');
		for (at = end; is_blank(at[-1]) || at[-1] == '\r';)
			at--;
		return at[-1] == '\\' ? NULL : end;
	}
	while ((end = strchr(end, '*'))) {
		if (end[1] == '/')
			return end + 2;
		if (next_joined(++end) == '/')
			return NULL;
	}
	return NULL;
}

/* Behind a comment or a literal, if one begins here; NULL if that is not certain. */
static const char *skip(const char *at)
{
	if (*at == '"' || *at == '\'')
		return skip_literal(at);
	if (*at == '/' && (at[1] == '/' || at[1] == '*'))
		return skip_comment(at);
	return *at == '/' && strchr("/*", next_joined(at + 1)) ? NULL : at + 1;
}

enum answer { PLAIN, RISKY, UNCERTAIN };

/* `all`: also in comments and literals. */
static enum answer read_words(const char *text, size_t size, bool all, bool *quotes,
			      void (*asked)(void *closure, const char *name, size_t length), void *closure)
{
	const char *end = text + size, *at = text;

	while (at < end) {
		if (!is_letter(*at)) {
			if (*at == '?' && at[1] == '?' && (at[2] == '/' || at[2] == '='))
				return RISKY; /* trigraphs, of a backslash and # */
			at = all ? at + 1 : skip(at);
			if (!at)
				return UNCERTAIN;
			continue;
		}
		struct word word = { at, 1 };
		while (is_letter(word.at[word.length]))
			word.length++;
		at += word.length;
		if (is_spliced(at) || !take_word(text, word, quotes, asked, closure))
			return RISKY;
		/* A raw string; or a number with quotes, 1'000, which is one only in some dialects. */
		if (!all && ((*at == '"' && at[-1] == 'R') || (*at == '\'' && word.at[0] >= '0' && word.at[0] <= '9')))
			return UNCERTAIN;
	}
	return PLAIN;
}

bool lp_words_plain(const char *text, size_t size, bool *quotes,
		    void (*asked)(void *closure, const char *name, size_t length), void *closure)
{
	if (strlen(text) != size)
		return false;
	const enum answer answer = read_words(text, size, false, quotes, asked, closure);
	return answer == PLAIN ||
	       (answer == UNCERTAIN && read_words(text, size, true, quotes, asked, closure) == PLAIN);
}
