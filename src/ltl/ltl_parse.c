/* ltl_parse.c -- the text of a formula (ltl.h).
 *
 * Recursive descent, a function for each level of binding.  How deep a formula may be nested is bounded, so that no text
 * exhausts the stack.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "ltl/ltl.h"

enum { MOST_DEPTH = 100, MOST_NODES = 400, SHOWN = 200 };

struct parser {
	struct lp_ltl *l;
	const char *text;
	uint32_t at, size, depth;
	struct lp_error *error;
};

enum pattern { ABSENCE, EXISTENCE, UNIVERSALITY, PERSISTENCE, RECURRENCE, RESPONSE, PRECEDENCE, PATTERNS };

static const char *const patterns[PATTERNS] = {
	[ABSENCE] = "absence", [EXISTENCE] = "existence", [UNIVERSALITY] = "universality", [PERSISTENCE] = "persistence",
	[RECURRENCE] = "recurrence", [RESPONSE] = "response", [PRECEDENCE] = "precedence",
};

/* ---- errors ---- */

bool lp_ltl_fail(const char *text, size_t size, uint32_t place, struct lp_error *error, const char *format, ...)
{
	char what[256], line[SHOWN + 1];
	/* A long text is shown around the place; what would move the caret is a space. */
	const size_t from = place > SHOWN / 2 && size > SHOWN ? place - SHOWN / 2 : 0;
	const size_t shown = size - from < SHOWN ? size - from : SHOWN;
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	for (size_t i = 0; i < shown; i++)
		line[i] = isprint((unsigned char)text[from + i]) ? text[from + i] : ' ';
	line[shown] = '\0';
	return lp_fail(error, "--ltl: %s\n  %s\n  %*s", what, line, (int)(place - from) + 1, "^");
}

static bool fail(struct parser *p, uint32_t place, const char *what)
{
	return lp_ltl_fail(p->text, p->size, place, p->error, "%s", what);
}

/* ---- words ---- */

static void skip_space(struct parser *p)
{
	while (p->at < p->size && isspace((unsigned char)p->text[p->at]))
		p->at++;
}

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Takes it, if it comes next; a word must end there. */
static bool take(struct parser *p, const char *what)
{
	const uint32_t length = (uint32_t)strlen(what);

	skip_space(p);
	if (p->size - p->at < length || memcmp(p->text + p->at, what, length) != 0)
		return false;
	if (is_letter(what[0]) && p->at + length < p->size && is_letter(p->text[p->at + length]))
		return false;
	p->at += length;
	return true;
}

static bool take_name(struct parser *p, char *out, const char *expected)
{
	uint32_t length = 0;

	skip_space(p);
	const uint32_t begin = p->at;
	if (p->at < p->size && p->text[p->at] == '-') /* a number */
		length++;
	while (p->at + length < p->size && is_letter(p->text[p->at + length]))
		length++;
	if (!length || (length == 1 && p->text[begin] == '-'))
		return fail(p, begin, expected);
	if (length >= LP_LTL_NAME)
		return fail(p, begin, "the name is too long");
	memcpy(out, p->text + begin, length);
	out[length] = '\0';
	p->at += length;
	return true;
}

static bool expect(struct parser *p, const char *what, const char *message)
{
	return take(p, what) || fail(p, p->at, message);
}

/* ---- formulae ---- */

static bool parse_formula(struct parser *p, lp_ltl_id *out);

static lp_ltl_id make(struct parser *p, enum lp_ltl_op op, lp_ltl_id a, lp_ltl_id b)
{
	return lp_ltl_make(p->l, op, a, b);
}

static lp_ltl_id always(struct parser *p, lp_ltl_id f)
{
	return make(p, LP_LTL_RELEASE, make(p, LP_LTL_FALSE, 0, 0), f);
}

static lp_ltl_id eventually(struct parser *p, lp_ltl_id f)
{
	return make(p, LP_LTL_UNTIL, make(p, LP_LTL_TRUE, 0, 0), f);
}

static lp_ltl_id implies(struct parser *p, lp_ltl_id a, lp_ltl_id b)
{
	return make(p, LP_LTL_OR, lp_ltl_not(p->l, a), b);
}

/* a W b */
static lp_ltl_id unless(struct parser *p, lp_ltl_id a, lp_ltl_id b)
{
	return make(p, LP_LTL_RELEASE, b, make(p, LP_LTL_OR, a, b));
}

static lp_ltl_id make_pattern(struct parser *p, enum pattern pattern, lp_ltl_id a, lp_ltl_id b)
{
	switch (pattern) {
	case ABSENCE:
		return always(p, lp_ltl_not(p->l, a));
	case EXISTENCE:
		return eventually(p, a);
	case PERSISTENCE:
		return eventually(p, always(p, a));
	case RECURRENCE:
		return always(p, eventually(p, a));
	case RESPONSE:
		return always(p, implies(p, a, eventually(p, b)));
	case PRECEDENCE:
		return unless(p, lp_ltl_not(p->l, b), a);
	case UNIVERSALITY:
	case PATTERNS:
		break;
	}
	return always(p, a);
}

static bool parse_pattern(struct parser *p, enum pattern pattern, lp_ltl_id *out)
{
	lp_ltl_id a, b = 0;

	if (!expect(p, "(", "the name of a pattern is followed by '('") || !parse_formula(p, &a))
		return false;
	if (pattern >= RESPONSE && (!expect(p, ",", "the pattern has two formulae: ',' is expected") || !parse_formula(p, &b)))
		return false;
	if (!expect(p, ")", "')' is expected"))
		return false;
	*out = make_pattern(p, pattern, a, b);
	return true;
}

static bool is_same_atom(const struct lp_ltl_atom *a, const struct lp_ltl_atom *b)
{
	bool same = !strcmp(a->name, b->name) && a->args == b->args && !strcmp(a->value, b->value);

	for (uint32_t i = 0; same && i < a->args; i++)
		same = !strcmp(a->arg[i], b->arg[i]);
	return same;
}

static bool add_atom(struct parser *p, const struct lp_ltl_atom *atom, lp_ltl_id *out)
{
	uint32_t i = 0;

	while (i < p->l->atoms.count && !is_same_atom(&p->l->atoms.at[i], atom))
		i++;
	if (i == LP_LTL_ATOMS)
		return fail(p, atom->place, "there are too many different atoms");
	if (i == p->l->atoms.count)
		LP_PUSH(&p->l->atoms, *atom);
	*out = make(p, LP_LTL_ATOM, i, 0);
	return true;
}

/* name, name(arg, ...), name(arg, ...) = value; or the name of a pattern. */
static bool parse_atom(struct parser *p, lp_ltl_id *out)
{
	struct lp_ltl_atom atom = { .args = 0 };

	skip_space(p);
	atom.place = p->at;
	if (!take_name(p, atom.name, p->at == p->size ? "a formula is expected at the end" : "a formula is expected"))
		return false;
	for (unsigned i = 0; i < PATTERNS; i++)
		if (!strcmp(atom.name, patterns[i]))
			return parse_pattern(p, (enum pattern)i, out);
	if (take(p, "("))
		do {
			if (atom.args == LP_LTL_ARGS)
				return fail(p, p->at, "an atom has three arguments at most");
			if (!take_name(p, atom.arg[atom.args++], "a name is expected"))
				return false;
		} while (take(p, ","));
	if (atom.args && !expect(p, ")", "',' or ')' is expected"))
		return false;
	if (take(p, "==") || take(p, "="))
		if (!take_name(p, atom.value, "a value is expected"))
			return false;
	return add_atom(p, &atom, out);
}

static bool parse_operand(struct parser *p, lp_ltl_id *out)
{
	const bool no = take(p, "!") || take(p, "not");
	const bool g = !no && (take(p, "[]") || take(p, "G"));
	const bool f = !no && !g && (take(p, "<>") || take(p, "F"));
	const bool x = !no && !g && !f && take(p, "X");

	if (p->depth > MOST_DEPTH || p->l->nodes.count > MOST_NODES)
		return fail(p, p->at, "the formula is too large");
	if (no || g || f || x) {
		p->depth++;
		if (!parse_operand(p, out))
			return false;
		p->depth--;
		*out = no ? lp_ltl_not(p->l, *out) : g ? always(p, *out) : f ? eventually(p, *out) :
		       make(p, LP_LTL_NEXT, *out, 0);
		return true;
	}
	if (take(p, "("))
		return parse_formula(p, out) && expect(p, ")", "')' is expected");
	if (take(p, "true") || take(p, "false")) {
		*out = make(p, p->text[p->at - 2] == 'u' ? LP_LTL_TRUE : LP_LTL_FALSE, 0, 0);
		return true;
	}
	return parse_atom(p, out);
}

static bool parse_until(struct parser *p, lp_ltl_id *out)
{
	lp_ltl_id b;

	if (!parse_operand(p, out))
		return false;
	const bool u = take(p, "U"), w = !u && take(p, "W"), r = !u && !w && take(p, "R");
	if (!u && !w && !r)
		return true;
	if (p->depth++ > MOST_DEPTH)
		return fail(p, p->at, "the formula is too large");
	if (!parse_until(p, &b))
		return false;
	p->depth--;
	*out = w ? unless(p, *out, b) : make(p, u ? LP_LTL_UNTIL : LP_LTL_RELEASE, *out, b);
	return true;
}

/* Operands of an operator that is written in one of two ways, as many as there are. */
static bool parse_row(struct parser *p, enum lp_ltl_op op, const char *sign, const char *word,
		      bool (*operand)(struct parser *, lp_ltl_id *), lp_ltl_id *out)
{
	lp_ltl_id b;

	if (!operand(p, out))
		return false;
	while (take(p, sign) || take(p, word)) {
		if (!operand(p, &b))
			return false;
		*out = make(p, op, *out, b);
	}
	return true;
}

static bool parse_and(struct parser *p, lp_ltl_id *out)
{
	return parse_row(p, LP_LTL_AND, "&&", "and", parse_until, out);
}

static bool parse_or(struct parser *p, lp_ltl_id *out)
{
	return parse_row(p, LP_LTL_OR, "||", "or", parse_and, out);
}

static bool parse_implies(struct parser *p, lp_ltl_id *out)
{
	lp_ltl_id b;

	if (!parse_or(p, out))
		return false;
	if (!take(p, "->"))
		return true;
	if (p->depth++ > MOST_DEPTH)
		return fail(p, p->at, "the formula is too large");
	if (!parse_implies(p, &b))
		return false;
	p->depth--;
	*out = implies(p, *out, b);
	return true;
}

static bool parse_formula(struct parser *p, lp_ltl_id *out)
{
	lp_ltl_id b;

	if (p->depth++ > MOST_DEPTH)
		return fail(p, p->at, "the formula is too large");
	if (!parse_implies(p, out))
		return false;
	while (take(p, "<->")) {
		if (!parse_implies(p, &b))
			return false;
		*out = make(p, LP_LTL_AND, implies(p, *out, b), implies(p, b, *out));
	}
	p->depth--;
	return true;
}

bool lp_ltl_parse(struct lp_ltl *l, const char *text, size_t size, lp_ltl_id *formula, struct lp_error *error)
{
	struct parser p = { .l = l, .text = text, .size = (uint32_t)size, .error = error };

	if (size > 10000)
		return lp_fail(error, "--ltl: the formula is too large");
	if (!parse_formula(&p, formula))
		return false;
	skip_space(&p);
	return p.at == p.size || fail(&p, p.at, "an operator, or the end, is expected");
}
