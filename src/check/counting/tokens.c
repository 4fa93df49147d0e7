/* tokens.c -- splits text into words, numbers and signs. */
#include "check/counting/tokens.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static bool begins(const struct lp_tokens *t, const char *at, const char *word)
{
	const size_t length = strlen(word);
	return (size_t)(t->end - at) >= length && !memcmp(at, word, length);
}

static const char *skip_space(const struct lp_tokens *t, const char *at)
{
	for (; at < t->end; at++) {
		if (begins(t, at, "//"))
			while (at < t->end && *at != '\n')
				at++;
		if (at == t->end || !isspace((unsigned char)*at))
			break;
	}
	return at;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

void lp_tokens_next(struct lp_tokens *t)
{
	const char *at = skip_space(t, t->at);

	t->text = at;
	t->length = 0;
	t->kind = LP_TOKEN_END;
	if (at == t->end || t->failed) {
		t->at = t->end;
		t->text = t->failed ? at : t->end;
		return;
	}
	if (isdigit((unsigned char)*at)) {
		t->kind = LP_TOKEN_NUMBER;
		t->number = 0;
		for (; at < t->end && isdigit((unsigned char)*at); at++)
			if (__builtin_mul_overflow(t->number, 10, &t->number) ||
			    __builtin_add_overflow(t->number, *at - '0', &t->number)) {
				lp_tokens_fail(t, t->text, "the number is too large");
				break;
			}
	} else if (is_word(*at)) {
		t->kind = LP_TOKEN_WORD;
		while (at < t->end && is_word(*at))
			at++;
	} else {
		t->kind = LP_TOKEN_SIGN;
		for (const char *const *s = t->signs; *s && at == t->text; s++)
			if (begins(t, at, *s))
				at += strlen(*s);
		if (at == t->text) {
			const unsigned char c = (unsigned char)*at;
			if (isprint(c))
				lp_tokens_fail(t, at, "'%c' has no meaning here", c);
			else
				lp_tokens_fail(t, at, "the character 0x%02x has no meaning here", c);
		}
	}
	t->length = (size_t)(at - t->text);
	t->at = at;
	if (t->failed)
		t->kind = LP_TOKEN_END;
}

void lp_tokens_open(struct lp_tokens *t, const char *name, const char *text, size_t length,
		    const char *const *signs, struct lp_error *error)
{
	*t = (struct lp_tokens){ .name = name, .at = text, .end = text + length, .begin = text,
				 .signs = signs, .error = error };
	lp_tokens_next(t);
}

void lp_tokens_seek(struct lp_tokens *t, const char *to)
{
	t->at = to;
	lp_tokens_next(t);
}

bool lp_tokens_is(const struct lp_tokens *t, const char *text)
{
	return t->kind != LP_TOKEN_END && t->length == strlen(text) &&
	       !memcmp(t->text, text, t->length);
}

bool lp_tokens_skip(struct lp_tokens *t, const char *text)
{
	const bool is = lp_tokens_is(t, text);

	if (is)
		lp_tokens_next(t);
	return is;
}

bool lp_tokens_expect(struct lp_tokens *t, const char *text)
{
	char what[64];

	if (lp_tokens_skip(t, text))
		return true;
	snprintf(what, sizeof what, "expected '%s'", text);
	return lp_tokens_wrong(t, what);
}

bool lp_tokens_wrong(struct lp_tokens *t, const char *what)
{
	if (t->kind == LP_TOKEN_END)
		return lp_tokens_fail(t, t->text, "%s, not the end", what);
	return lp_tokens_fail(t, t->text, "%s, not '%.*s'", what,
			      t->length < 40 ? (int)t->length : 40, t->text);
}

bool lp_tokens_fail(struct lp_tokens *t, const char *at, const char *format, ...)
{
	unsigned line = 1, column = 1;
	char text[512];
	va_list args;

	if (t->failed)
		return false;
	t->failed = true;
	for (const char *c = t->begin; c < at; c++) {
		column = *c == '\n' ? 1 : column + 1;
		line += *c == '\n';
	}
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return lp_fail(t->error, "%s:%u:%u: %s", t->name, line, column, text);
}
