/* words.c -- words of a source file that make its translation depend on more than its text. */
#define _GNU_SOURCE
#include "frontend/cache/words.h"

#include <string.h>

#include "base/alloc.h"

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

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
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
 * it, as in libstdc++, it is no part of a condition. */
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

/* A word that goes on in the next line. */
static bool is_spliced(const char *end)
{
	if (*end != '\\')
		return false;
	end = skip_blanks(end + 1);
	end += *end == '\r';
	return *end == '\n' && is_letter(end[1]);
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

/* ---- comments ---- */

/* Behind a literal; NULL if it does not end in its line. */
static char *skip_literal(char *at)
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

/* Makes the comment blank; NULL if it has no end, or goes on in the next line though it should not. */
static char *blank_comment(char *at)
{
	const char *end = at[1] == '*' ? strstr(at + 2, "*/") : strchr(at, '\n'), *last = end;

	while (last && last > at && (is_blank(last[-1]) || last[-1] == '\r'))
		last--;
	if (!end || (at[1] == '/' && last[-1] == '\\'))
		return NULL;
	for (end += at[1] == '*' ? 2 : 0; at < end; at++)
		if (*at != '\n')
			*at = ' ';
	return at;
}

/* A word or a number.  NULL before a raw string, and before a quote in a number, 1'000, which is one only
 * in some dialects. */
static char *skip_word(char *at)
{
	const bool number = *at >= '0' && *at <= '9';

	while (is_letter(*at))
		at++;
	return (*at == '"' && at[-1] == 'R') || (*at == '\'' && number) ? NULL : at;
}

/* Makes all comments blank.  False where literals are not such that this can be told for certain: then
 * some of them are still there. */
static bool blank_comments(char *at)
{
	if (strstr(at, "/\\") || strstr(at, "*\\")) /* perhaps the end of a comment, in two lines */
		return false;
	while (at && *at) {
		if (*at == '/' && (at[1] == '*' || at[1] == '/'))
			at = blank_comment(at);
		else if (*at == '"' || *at == '\'')
			at = skip_literal(at);
		else if (is_letter(*at))
			at = skip_word(at);
		else
			at++;
	}
	return at;
}

static bool is_plain(const char *text, size_t size, bool *quotes,
		     void (*asked)(void *closure, const char *name, size_t length), void *closure)
{
	const char *end = text + size, *at = text;

	while (at < end) {
		if (!is_letter(*at)) {
			at++;
			continue;
		}
		struct word word = { at, 1 };
		while (is_letter(word.at[word.length]))
			word.length++;
		at += word.length;
		if (is_spliced(at) || !take_word(text, word, quotes, asked, closure))
			return false;
	}
	return true;
}

bool lp_words_plain(const char *text, size_t size, bool *quotes,
		    void (*asked)(void *closure, const char *name, size_t length), void *closure)
{
	/* Trigraphs are for a backslash and for #. */
	if (memchr(text, '\0', size) || memmem(text, size, "\?\?/", 3) || memmem(text, size, "\?\?=", 3))
		return false;
	char *copy = lp_strdup(text);
	const bool plain = is_plain(blank_comments(copy) ? copy : text, size, quotes, asked, closure);
	lp_free(copy);
	return plain;
}
