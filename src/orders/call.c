/* call.c -- calls in a source text. */
#include "orders/call.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

size_t lp_text_skip_blanks(const struct lp_text *t, size_t i)
{
	while (i < t->size && isspace((unsigned char)t->at[i]))
		i++;
	return i;
}

static bool starts(const struct lp_text *t, size_t i, const char *with)
{
	const size_t length = strlen(with);

	return t->size - i >= length && !strncmp(t->at + i, with, length);
}

/* After a comment, a string or a character that begins there; else `i` itself. */
static size_t skip_opaque(const struct lp_text *t, size_t i)
{
	if (starts(t, i, "/*")) {
		for (i += 2; i < t->size && !starts(t, i, "*/");)
			i++;
		return i < t->size ? i + 2 : i;
	}
	if (starts(t, i, "//")) {
		while (i < t->size && t->at[i] != '\n')
			i++;
		return i;
	}
	if (t->at[i] != '"' && t->at[i] != '\'')
		return i;
	const char quote = t->at[i++];
	while (i < t->size && t->at[i] != quote && t->at[i] != '\n')
		i += t->at[i] == '\\' ? 2 : 1;
	return i < t->size ? i + 1 : t->size;
}

struct lp_piece_of_text lp_text_trimmed(const struct lp_text *t, size_t start, size_t end)
{
	while (start < end && isspace((unsigned char)t->at[start]))
		start++;
	while (end > start && isspace((unsigned char)t->at[end - 1]))
		end--;
	return (struct lp_piece_of_text){ start, end };
}

/* The arguments, from the opening parenthesis on. */
static bool read_arguments(const struct lp_text *t, size_t open, struct lp_call_text *c)
{
	size_t start = open + 1;
	int depth = 0;

	for (size_t i = open; i < t->size;) {
		const size_t after = skip_opaque(t, i);
		if (after != i) {
			i = after;
			continue;
		}
		const char ch = t->at[i];
		depth += ch == '(' || ch == '[' || ch == '{';
		depth -= ch == ')' || ch == ']' || ch == '}';
		if ((ch == ',' && depth == 1) || !depth) {
			const struct lp_piece_of_text arg = lp_text_trimmed(t, start, i);
			if (c->count == LP_CALL_ARGS)
				return false;
			if (arg.end > arg.start || c->count || depth)
				c->args[c->count++] = arg;
			start = i + 1;
		}
		if (!depth) {
			c->close = i;
			c->whole.end = i + 1;
			return true;
		}
		i++;
	}
	return false;
}

bool lp_text_call(const struct lp_text *t, size_t at, struct lp_call_text *c)
{
	size_t i = at;

	*c = (struct lp_call_text){ .whole = { at, at } };
	if (at >= t->size || !is_word(t->at[at]) || (at && is_word(t->at[at - 1])))
		return false;
	for (;;) {
		c->name.start = i;
		while (i < t->size && is_word(t->at[i]))
			i++;
		c->name.end = i;
		if (!starts(t, i, "::"))
			break;
		i += 2;
	}
	const size_t before = at;
	c->member = before && (t->at[before - 1] == '.' || (before > 1 && !strncmp(t->at + before - 2, "->", 2)));
	i = lp_text_skip_blanks(t, i);
	return i < t->size && t->at[i] == '(' && read_arguments(t, i, c);
}

bool lp_text_is(const struct lp_text *t, struct lp_piece_of_text p, const char *name)
{
	return p.end - p.start == strlen(name) && !strncmp(t->at + p.start, name, p.end - p.start);
}

bool lp_text_begins(const struct lp_text *t, struct lp_piece_of_text p, const char *with)
{
	return p.end - p.start >= strlen(with) && !strncmp(t->at + p.start, with, strlen(with));
}

bool lp_text_ends(const struct lp_text *t, struct lp_piece_of_text p, const char *with)
{
	const size_t length = strlen(with);

	return p.end - p.start >= length && !strncmp(t->at + p.end - length, with, length);
}

bool lp_text_contains(const struct lp_text *t, struct lp_piece_of_text p, const char *what)
{
	for (size_t i = p.start; i + strlen(what) <= p.end; i++)
		if (!strncmp(t->at + i, what, strlen(what)))
			return true;
	return false;
}
