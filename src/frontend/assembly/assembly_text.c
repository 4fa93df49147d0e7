/* assembly_text.c -- inline assembly as statements.
 *
 * LLVM's template is normalised first: $$ becomes $, each reference to an operand becomes three bytes (LP_ASM_REFERENCE), and
 * $(att$|intel$) is replaced by one of its two parts, according to the syntax in use.  Then comments are removed, and the rest is
 * split at semicolons and line ends.
 */
#include "frontend/assembly/assembly_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct normaliser {
	struct lp_asm_parser *parser;
	const char *at;
	size_t length;
	int variant;          /* inside $( $| $), or -1 */
};

static bool put(struct normaliser *n, int c)
{
	if (n->variant >= 0 && n->variant != n->parser->text->intel)
		return true;
	if (n->length + 1 >= LP_ASM_CODE)
		return lp_asm_refuse(n->parser, "too long");
	n->parser->code[n->length++] = (char)c;
	return true;
}

/* After the $: 12, or {12:w}. */
static bool put_reference(struct normaliser *n)
{
	const bool braced = *n->at == '{';
	char *end, modifier = '_';

	n->at += braced;
	if (!isdigit((unsigned char)*n->at))
		return lp_asm_refuse(n->parser, "$%.20s", n->at);
	const unsigned long operand = strtoul(n->at, &end, 10);
	if (braced && *end == ':' && isalpha((unsigned char)end[1])) {
		modifier = end[1];
		end += 2;
	}
	if (operand >= n->parser->out->operand_count || (braced && *end++ != '}'))
		return lp_asm_refuse(n->parser, "$%.20s", n->at);
	n->at = end;
	return put(n, LP_ASM_REFERENCE) && put(n, 0x80 + (int)operand) && put(n, modifier);
}

static bool put_dollar(struct normaliser *n)
{
	switch (*n->at) {
	case '$':
		n->at++;
		return put(n, '$');
	case '(':
		n->at++;
		if (n->variant >= 0)
			return lp_asm_refuse(n->parser, "nested alternatives");
		n->variant = 0;
		return true;
	case '|':
	case ')':
		if (n->variant < 0)
			return lp_asm_refuse(n->parser, "alternatives");
		n->variant = *n->at++ == '|' ? n->variant + 1 : -1;
		return true;
	default:
		return put_reference(n);
	}
}

static bool normalise(struct lp_asm_parser *p)
{
	struct normaliser n = { .parser = p, .at = p->text->code, .variant = -1 };

	while (*n.at) {
		const char c = *n.at++;
		if (c == '$') {
			if (!put_dollar(&n))
				return false;
		} else if ((c < ' ' && c != '\n' && c != '\t') || c > '~') {
			return lp_asm_refuse(p, "a strange character");
		} else if (!put(&n, c == '\t' ? ' ' : tolower(c))) {
			return false;
		}
	}
	p->code[n.length] = '\0';
	return n.variant < 0 || lp_asm_refuse(p, "alternatives without an end");
}

static void blank_line(char *c)
{
	while (*c && *c != '\n')
		*c++ = ' ';
}

static bool blank_comments(struct lp_asm_parser *p)
{
	const bool arm = p->text->target == LP_ASM_AARCH64;
	bool begins = true; /* nothing but blanks since the line began */

	for (char *c = p->code; *c; c++) {
		if (c[0] == '/' && c[1] == '*') {
			char *end = strstr(c + 2, "*/");
			if (!end)
				return lp_asm_refuse(p, "a comment without an end");
			memset(c, ' ', (size_t)(end + 2 - c));
		} else if ((*c == '#' && (!arm || begins)) || (arm && c[0] == '/' && c[1] == '/')) {
			blank_line(c);
		}
		begins = *c == '\n' || (begins && *c == ' ');
	}
	return true;
}

static char *trim(char *text)
{
	while (*text == ' ')
		text++;
	size_t n = strlen(text);
	while (n && text[n - 1] == ' ')
		text[--n] = '\0';
	return text;
}

int lp_asm_split(char *rest, char *args[LP_ASM_ARGS])
{
	int count = 0, depth = 0;

	if (!*rest)
		return 0;
	for (char *c = rest, *start = rest;; c++) {
		depth += *c == '(' || *c == '[';
		depth -= *c == ')' || *c == ']';
		if (*c && (*c != ',' || depth))
			continue;
		const bool last = !*c;
		*c = '\0';
		if (count == LP_ASM_ARGS || depth)
			return -1;
		args[count++] = trim(start);
		if (last)
			return count;
		start = c + 1;
	}
}

/* Takes numeric labels off the statement; NULL if there is another one. */
static char *take_labels(struct lp_asm_statement *s, char *text)
{
	for (;;) {
		const size_t digits = strspn(text, "0123456789");
		char *after = text + digits;
		while (*after == ' ')
			after++;
		if (!digits || *after != ':')
			break;
		s->labelled_twice |= s->label != 0;
		s->label = (uint32_t)strtoul(text, NULL, 10) + 1;
		text = trim(after + 1);
	}
	return strchr(text, ':') ? NULL : text;
}

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}
#define IS_ONE_OF(word, ...)                                                           \
	is_one_of(word, (const char *const[]){ __VA_ARGS__ },                          \
		  sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

/* Padding, which instructions to accept, and Linux' list of lock prefixes in a section of its
 * own.  *aside is true inside that. */
static bool skips_directive(const struct lp_asm_statement *s, bool *aside)
{
	if (*aside) {
		if (IS_ONE_OF(s->word, ".popsection", ".previous"))
			*aside = false;
		else if (!IS_ONE_OF(s->word, ".balign", ".align", ".long"))
			return false;
		return !s->label;
	}
	if (IS_ONE_OF(s->word, ".pushsection", ".section") && !strncmp(s->rest, ".smp_locks,", 11)) {
		*aside = true;
		return true;
	}
	return IS_ONE_OF(s->word, ".align", ".balign", ".p2align", ".arch", ".arch_extension", ".cpu");
}

static bool add_statement(struct lp_asm_parser *p, char *text, bool *aside)
{
	struct lp_asm_statement *s = &p->statements[p->statement_count];
	char *start = take_labels(s, trim(text));

	if (!start)
		return lp_asm_refuse(p, "%.60s", text);
	if (!*start)
		return true; /* labels stay for the next one */
	s->word = start;
	s->rest = start + strcspn(start, " ");
	if (*s->rest)
		*s->rest++ = '\0';
	s->rest = trim(s->rest);
	if (*s->word == '.' || *aside)
		return skips_directive(s, aside) || lp_asm_refuse(p, "%s %.60s", s->word, s->rest);
	if (++p->statement_count == LP_ASM_STATEMENTS)
		return lp_asm_refuse(p, "too many statements");
	return true;
}

bool lp_asm_statements(struct lp_asm_parser *p)
{
	static char nothing[] = "";
	bool aside = false;

	if (!normalise(p) || !blank_comments(p))
		return false;
	for (char *rest = p->code, *one; (one = strsep(&rest, ";\n"));)
		if (!add_statement(p, one, &aside))
			return false;
	struct lp_asm_statement *end = &p->statements[p->statement_count];
	end->word = end->rest = nothing;
	return !aside || lp_asm_refuse(p, "a section without an end");
}
