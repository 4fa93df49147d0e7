/* formula_parse.c -- parses formulae into trees, by recursive descent.
 *
 * A `let` is expanded where it is used: its body is parsed again with its parameters bound.  A body can use
 * only earlier lets, so the expansion terminates.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "check/counting/label.h"
#include "check/counting/languages/formula.h"
#include "check/counting/languages/formula_tree.h"
#include "check/counting/tokens.h"

enum { MOST_DEPTH = 200, MOST_NODES = 1 << 20 };

struct binding {
	const char *name;
	size_t length;
	uint32_t node;
};

struct let {
	const char *name;
	size_t length;
	const char *params, *body; /* where the parameters and the body begin in the text */
	uint32_t count;
};

struct parser {
	struct lp_tokens t;
	struct lp_formulae *f;
	struct {
		LP_VEC(struct binding);
	} scope;
	uint32_t scope_base; /* inside a let: variables below this index are not visible */
	struct {
		LP_VEC(struct let);
	} lets;
	uint32_t lets_seen;
	unsigned depth;
};

static uint32_t parse_expression(struct parser *p);
static uint32_t parse_addition(struct parser *p);
static uint32_t parse_product(struct parser *p);

static bool is_term(const struct parser *p, uint32_t n)
{
	return p->f->nodes.at[n].kind <= LP_NODE_SUM;
}

static bool is_label(const struct parser *p, uint32_t n)
{
	return p->f->nodes.at[n].kind == LP_NODE_LABEL || p->f->nodes.at[n].kind == LP_NODE_CONST;
}

static uint32_t node(struct parser *p, struct lp_node n)
{
	if (p->f->nodes.count >= MOST_NODES)
		lp_tokens_fail(&p->t, p->t.text, "the formula is too large");
	return lp_formulae_node(p->f, n);
}

static uint32_t binary(struct parser *p, enum lp_node_kind kind, uint32_t a, uint32_t b)
{
	return node(p, (struct lp_node){ .kind = kind, .a = a, .b = b });
}

/* Checks that a term was parsed; `at` is where it began. */
static uint32_t want_term(struct parser *p, uint32_t n, const char *at)
{
	if (!is_term(p, n))
		lp_tokens_fail(&p->t, at, "expected a number here, not %s",
			       is_label(p, n) ? "a label" : "a formula");
	return n;
}

static uint32_t want_formula(struct parser *p, uint32_t n, const char *at)
{
	if (is_term(p, n) || is_label(p, n))
		lp_tokens_fail(&p->t, at, "expected a formula here, not %s",
			       is_label(p, n) ? "a label" : "a number");
	return n;
}

static uint32_t want_label(struct parser *p, uint32_t n, const char *at)
{
	if (!is_label(p, n))
		lp_tokens_fail(&p->t, at, "expected a label here, not %s",
			       is_term(p, n) ? "a number" : "a formula");
	return n;
}

static bool is_reserved(const struct lp_tokens *t)
{
	static const char *const words[] = { "let", "violation", "require", "exists", "forall",
					     "some", "all", "in", "sum", "not", "and", "or", "true",
					     "false", "k" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (lp_tokens_is(t, words[i]))
			return true;
	return false;
}

static bool parse_name(struct parser *p, const char *what, const char **name, size_t *length)
{
	if (p->t.kind != LP_TOKEN_WORD || is_reserved(&p->t))
		return lp_tokens_wrong(&p->t, what);
	*name = p->t.text;
	*length = p->t.length;
	lp_tokens_next(&p->t);
	return true;
}

static uint32_t bind(struct parser *p, enum lp_node_kind kind, const char *name, size_t length)
{
	uint32_t slot = 0;

	if (kind == LP_NODE_PLACE)
		slot = p->f->places++;
	else if (p->f->slots == LP_MOST_SLOTS)
		lp_tokens_fail(&p->t, name, "more than %d variables", LP_MOST_SLOTS);
	else
		slot = p->f->slots++;
	const struct binding b = { name, length, node(p, (struct lp_node){ .kind = kind, .a = slot }) };
	LP_PUSH(&p->scope, b);
	return slot;
}

/* Parses "i in low..high: body". */
static uint32_t parse_range(struct parser *p, enum lp_node_kind kind)
{
	struct lp_node n = { .kind = kind };
	const char *name = "", *at;
	size_t length = 0;

	lp_tokens_next(&p->t);
	parse_name(p, "expected the name of an integer variable", &name, &length);
	lp_tokens_expect(&p->t, "in");
	at = p->t.text;
	n.b = want_term(p, parse_addition(p), at);
	lp_tokens_expect(&p->t, "..");
	at = p->t.text;
	n.c = want_term(p, parse_addition(p), at);
	lp_tokens_expect(&p->t, ":");
	n.a = bind(p, LP_NODE_PLACE, name, length);
	at = p->t.text;
	n.d = kind == LP_NODE_SUM ? parse_product(p) : parse_expression(p);
	n.d = kind == LP_NODE_SUM ? want_term(p, n.d, at) : want_formula(p, n.d, at);
	p->scope.count--;
	return node(p, n);
}

/* Parses "x, y, ...: body". */
static uint32_t parse_quantifier(struct parser *p, bool all)
{
	uint32_t slots[LP_MOST_JOINED], count = 0;

	lp_tokens_next(&p->t);
	do {
		const char *name = "";
		size_t length = 0;
		if (count == LP_MOST_JOINED) {
			lp_tokens_fail(&p->t, p->t.text, "more than %d variables at once",
				       LP_MOST_JOINED);
			break;
		}
		if (!parse_name(p, "expected the name of a variable", &name, &length))
			break;
		slots[count++] = bind(p, LP_NODE_LABEL, name, length);
	} while (lp_tokens_skip(&p->t, ","));
	lp_tokens_expect(&p->t, ":");
	const char *at = p->t.text;
	uint32_t body = want_formula(p, parse_expression(p), at);
	p->scope.count -= count;
	if (p->t.failed)
		return body;
	if (all)
		body = lp_formulae_not(p->f, body);
	body = lp_formulae_exists(p->f, slots, count, body);
	return all ? lp_formulae_not(p->f, body) : body;
}

static uint32_t parse_constant(struct parser *p)
{
	struct lp_label l;

	if (!lp_label_parse(&p->t, p->f->kind, &l))
		return node(p, (struct lp_node){ .kind = LP_NODE_CONST });
	LP_PUSH(&p->f->constants, l);
	return node(p, (struct lp_node){ .kind = LP_NODE_CONST, .a = p->f->constants.count - 1 });
}

static uint32_t parse_argument(struct parser *p)
{
	return lp_tokens_is(&p->t, "<") ? parse_constant(p) : parse_expression(p);
}

static uint32_t parse_count(struct parser *p)
{
	struct lp_node n = { .kind = LP_NODE_COUNT };
	const char *at;

	lp_tokens_next(&p->t);
	lp_tokens_expect(&p->t, "(");
	at = p->t.text;
	n.a = want_label(p, parse_argument(p), at);
	lp_tokens_expect(&p->t, ",");
	at = p->t.text;
	n.b = want_term(p, parse_expression(p), at);
	lp_tokens_expect(&p->t, ",");
	at = p->t.text;
	n.c = want_term(p, parse_expression(p), at);
	lp_tokens_expect(&p->t, ")");
	return node(p, n);
}

static bool same_word(const char *a, size_t length, const char *b, size_t other)
{
	return length == other && !memcmp(a, b, length);
}

static uint32_t parse_let_call(struct parser *p, uint32_t which, const char *at)
{
	const struct let let = p->lets.at[which];
	const uint32_t first = p->scope.count;
	uint32_t args[16], count = 0;

	if (let.count) {
		lp_tokens_expect(&p->t, "(");
		do {
			const uint32_t arg = parse_argument(p);
			if (count < 16)
				args[count++] = arg;
		} while (!p->t.failed && lp_tokens_skip(&p->t, ","));
		lp_tokens_expect(&p->t, ")");
	}
	if (count != let.count)
		lp_tokens_fail(&p->t, at, "%.*s takes %u argument%s, not %u", (int)let.length, let.name,
			       let.count, let.count == 1 ? "" : "s", count);
	if (p->t.failed)
		return node(p, (struct lp_node){ .kind = LP_NODE_FALSE });

	/* Parses the body of the let, in which only its parameters and earlier lets are visible. */
	const char *back = p->t.text;
	const uint32_t base = p->scope_base, seen = p->lets_seen;
	lp_tokens_seek(&p->t, let.params);
	for (uint32_t i = 0; i < count; i++) {
		struct binding b = { .node = args[i] };
		parse_name(p, "expected a parameter", &b.name, &b.length);
		LP_PUSH(&p->scope, b);
		lp_tokens_skip(&p->t, ",");
	}
	p->scope_base = first;
	p->lets_seen = which;
	lp_tokens_seek(&p->t, let.body);
	const uint32_t body = parse_expression(p);
	p->scope_base = base;
	p->lets_seen = seen;
	p->scope.count = first;
	if (!p->t.failed)
		lp_tokens_seek(&p->t, back);
	return body;
}

struct predicate {
	const char *name;
	enum lp_predicate what;
	uint32_t args;
};

static const struct predicate predicates[] = {
	{ "SameVal", LP_PRED_SAME, 2 },    { "Equal", LP_PRED_EQUAL, 2 },
	{ "EmptyVal", LP_PRED_EMPTY, 1 },  { "Pending", LP_PRED_PENDING, 1 },
	{ "HasVal", LP_PRED_VALUE, 1 },    { "Inserts", LP_PRED_INSERTS, 1 },
	{ "Removes", LP_PRED_REMOVES, 1 },
};

static uint32_t parse_predicate(struct parser *p, struct lp_node n, uint32_t args)
{
	lp_tokens_expect(&p->t, "(");
	for (uint32_t i = 0; i < args; i++) {
		if (i)
			lp_tokens_expect(&p->t, ",");
		const char *at = p->t.text;
		const uint32_t label = want_label(p, parse_argument(p), at);
		if (i == 0)
			n.a = label;
		n.b = label;
	}
	lp_tokens_expect(&p->t, ")");
	return node(p, n);
}

/* Parses what a word begins: a variable, a let, a predicate, or a method used as a predicate. */
static uint32_t parse_word(struct parser *p)
{
	const char *name = "";
	size_t length = 0;

	if (!parse_name(p, "expected a formula or a number", &name, &length))
		return node(p, (struct lp_node){ .kind = LP_NODE_FALSE });
	for (uint32_t i = p->scope.count; i > p->scope_base; i--)
		if (same_word(name, length, p->scope.at[i - 1].name, p->scope.at[i - 1].length))
			return p->scope.at[i - 1].node;
	for (uint32_t i = p->lets_seen; i; i--)
		if (same_word(name, length, p->lets.at[i - 1].name, p->lets.at[i - 1].length))
			return parse_let_call(p, i - 1, name);
	for (size_t i = 0; i < sizeof predicates / sizeof *predicates; i++)
		if (same_word(name, length, predicates[i].name, strlen(predicates[i].name)))
			return parse_predicate(p, (struct lp_node){ .kind = LP_NODE_PRED,
								    .number = predicates[i].what },
					       predicates[i].args);
	const uint32_t m = lp_method_named(p->f->kind, name, length);
	if (m != LP_NO_METHOD)
		return parse_predicate(p, (struct lp_node){ .kind = LP_NODE_METHOD, .number = m }, 1);
	lp_tokens_fail(&p->t, name, "'%.*s' is no variable, let, predicate or method of %s", (int)length,
		       name, p->f->kind->name);
	return node(p, (struct lp_node){ .kind = LP_NODE_FALSE });
}

static uint32_t parse_primary(struct parser *p)
{
	uint32_t n;

	if (p->t.kind == LP_TOKEN_NUMBER) {
		n = node(p, (struct lp_node){ .kind = LP_NODE_INT, .number = p->t.number });
		lp_tokens_next(&p->t);
		return n;
	}
	if (lp_tokens_skip(&p->t, "k"))
		return node(p, (struct lp_node){ .kind = LP_NODE_K });
	if (lp_tokens_skip(&p->t, "true"))
		return node(p, (struct lp_node){ .kind = LP_NODE_TRUE });
	if (lp_tokens_skip(&p->t, "false"))
		return node(p, (struct lp_node){ .kind = LP_NODE_FALSE });
	if (lp_tokens_is(&p->t, "#"))
		return parse_count(p);
	if (lp_tokens_is(&p->t, "sum"))
		return parse_range(p, LP_NODE_SUM);
	if (lp_tokens_skip(&p->t, "(")) {
		n = parse_expression(p);
		lp_tokens_expect(&p->t, ")");
		return n;
	}
	return parse_word(p);
}

/* Every recursion of the parser passes through this check or parse_unary(). */
static bool is_too_deep(struct parser *p)
{
	if (p->depth > MOST_DEPTH)
		lp_tokens_fail(&p->t, p->t.text, "nested too deeply");
	return p->t.failed;
}

static uint32_t parse_product(struct parser *p)
{
	const char *at = p->t.text;

	p->depth++;
	uint32_t left = is_too_deep(p) ? node(p, (struct lp_node){ .kind = LP_NODE_INT }) :
					 parse_primary(p);
	p->depth--;

	while (lp_tokens_skip(&p->t, "*")) {
		const char *right_at = p->t.text;
		want_term(p, left, at);
		left = binary(p, LP_NODE_MUL, left, want_term(p, parse_primary(p), right_at));
	}
	return left;
}

static uint32_t parse_addition(struct parser *p)
{
	const char *at = p->t.text;
	uint32_t left = parse_product(p);

	while (lp_tokens_is(&p->t, "+") || lp_tokens_is(&p->t, "-")) {
		const enum lp_node_kind kind = lp_tokens_is(&p->t, "+") ? LP_NODE_ADD : LP_NODE_SUB;
		lp_tokens_next(&p->t);
		const char *right_at = p->t.text;
		want_term(p, left, at);
		left = binary(p, kind, left, want_term(p, parse_product(p), right_at));
	}
	return left;
}

static uint32_t parse_comparison(struct parser *p)
{
	static const char *const signs[] = { "<=", "<", ">=", ">", "=", "!=" };
	const char *at = p->t.text;
	const uint32_t left = parse_addition(p);

	for (uint32_t i = 0; i < 6; i++) {
		if (!lp_tokens_skip(&p->t, signs[i]))
			continue;
		const char *right_at = p->t.text;
		want_term(p, left, at);
		const uint32_t right = want_term(p, parse_addition(p), right_at);
		switch (i) {
		case 0: return binary(p, LP_NODE_LE, left, right);
		case 1: return binary(p, LP_NODE_LT, left, right);
		case 2: return binary(p, LP_NODE_LE, right, left);
		case 3: return binary(p, LP_NODE_LT, right, left);
		case 4: return binary(p, LP_NODE_EQ, left, right);
		default: return lp_formulae_not(p->f, binary(p, LP_NODE_EQ, left, right));
		}
	}
	return left;
}

/* A quantifier extends as far to the right as possible.  (A sum extends over one product: parse_range().) */
static uint32_t parse_unary(struct parser *p)
{
	if (lp_tokens_skip(&p->t, "not")) {
		const char *at = p->t.text;
		p->depth++;
		const uint32_t body = is_too_deep(p) ?
					      node(p, (struct lp_node){ .kind = LP_NODE_FALSE }) :
					      want_formula(p, parse_unary(p), at);
		p->depth--;
		return p->t.failed ? body : lp_formulae_not(p->f, body);
	}
	if (lp_tokens_is(&p->t, "exists"))
		return parse_quantifier(p, false);
	if (lp_tokens_is(&p->t, "forall"))
		return parse_quantifier(p, true);
	if (lp_tokens_is(&p->t, "some"))
		return parse_range(p, LP_NODE_SOME);
	if (lp_tokens_is(&p->t, "all"))
		return parse_range(p, LP_NODE_ALL);
	return parse_comparison(p);
}

static uint32_t parse_chain(struct parser *p, bool is_or)
{
	const char *at = p->t.text;
	uint32_t left = is_or ? parse_chain(p, false) : parse_unary(p);

	while (lp_tokens_skip(&p->t, is_or ? "or" : "and")) {
		const char *right_at = p->t.text;
		want_formula(p, left, at);
		const uint32_t right = is_or ? parse_chain(p, false) : parse_unary(p);
		left = binary(p, is_or ? LP_NODE_OR : LP_NODE_AND, left,
			      want_formula(p, right, right_at));
	}
	return left;
}

static uint32_t parse_expression(struct parser *p)
{
	const char *at = p->t.text;

	p->depth++;
	uint32_t left = is_too_deep(p) ? node(p, (struct lp_node){ .kind = LP_NODE_FALSE }) :
					 parse_chain(p, true);
	if (lp_tokens_skip(&p->t, "->")) {
		const char *right_at = p->t.text;
		want_formula(p, left, at);
		const uint32_t right = want_formula(p, parse_expression(p), right_at);
		left = p->t.failed ? left : binary(p, LP_NODE_OR, lp_formulae_not(p->f, left), right);
	}
	p->depth--;
	return left;
}

/* Parses "let name(a, b) = body;".  The body is skipped here, and parsed at each use. */
static void parse_let(struct parser *p)
{
	struct let let = { 0 };

	parse_name(p, "expected a name", &let.name, &let.length);
	let.params = p->t.text;
	if (lp_tokens_skip(&p->t, "(")) {
		let.params = p->t.text;
		do {
			const char *name;
			size_t length;
			if (let.count++ == 16)
				lp_tokens_fail(&p->t, p->t.text, "more than 16 parameters");
			parse_name(p, "expected a parameter", &name, &length);
		} while (!p->t.failed && lp_tokens_skip(&p->t, ","));
		lp_tokens_expect(&p->t, ")");
	}
	lp_tokens_expect(&p->t, "=");
	let.body = p->t.text;
	while (!p->t.failed && p->t.kind != LP_TOKEN_END && !lp_tokens_is(&p->t, ";"))
		lp_tokens_next(&p->t);
	lp_tokens_expect(&p->t, ";");
	LP_PUSH(&p->lets, let);
	p->lets_seen = p->lets.count;
}

static void parse_statement(struct parser *p)
{
	struct lp_statement s = { .is_violation = lp_tokens_is(&p->t, "violation") };
	const char *name = "";
	size_t length = 0;

	lp_tokens_next(&p->t);
	parse_name(p, "expected a name", &name, &length);
	snprintf(s.name, sizeof s.name, "%.*s", (int)length, name);
	lp_tokens_expect(&p->t, "=");
	const char *at = p->t.text;
	s.root = want_formula(p, parse_expression(p), at);
	lp_tokens_expect(&p->t, ";");
	LP_PUSH(&p->f->statements, s);
}

struct lp_formulae *lp_formulae_parse(const char *name, const char *text, size_t length,
				      const struct lp_kind *kind, struct lp_error *error)
{
	static const char *const signs[] = { "<=", ">=", "=>", "!=", "->", "..", "<", ">", "=", "+",
					     "-",  "*",  "#",  "(",  ")",  ",",  ":", ";", NULL };
	struct parser p = { .f = lp_alloc_zero(1, sizeof *p.f) };

	p.f->kind = kind;
	lp_tokens_open(&p.t, name, text, length, signs, error);
	while (!p.t.failed && p.t.kind != LP_TOKEN_END) {
		if (lp_tokens_skip(&p.t, "let"))
			parse_let(&p);
		else if (lp_tokens_is(&p.t, "violation") || lp_tokens_is(&p.t, "require"))
			parse_statement(&p);
		else
			lp_tokens_wrong(&p.t, "expected 'let', 'violation' or 'require'");
	}
	if (!p.t.failed && !p.f->statements.count)
		lp_tokens_wrong(&p.t, "expected a violation or a requirement");
	lp_free(p.scope.at);
	lp_free(p.lets.at);
	if (p.t.failed) {
		lp_formulae_close(p.f);
		return NULL;
	}
	return p.f;
}

void lp_formulae_close(struct lp_formulae *f)
{
	if (!f)
		return;
	for (uint32_t i = 0; i < f->plans.count; i++)
		lp_free(f->plans.at[i].conjuncts.at);
	lp_free(f->nodes.at);
	lp_free(f->plans.at);
	lp_free(f->constants.at);
	lp_free(f->statements.at);
	lp_free(f);
}

uint32_t lp_formulae_count(const struct lp_formulae *f)
{
	return f->statements.count;
}

const char *lp_formulae_name(const struct lp_formulae *f, uint32_t i)
{
	return f->statements.at[i].name;
}

uint32_t lp_formulae_copies(const struct lp_formulae *f)
{
	uint32_t rank = 1;

	for (uint32_t i = 0; i < f->statements.count; i++) {
		const uint32_t its = f->nodes.at[f->statements.at[i].root].rank;
		rank = its > rank ? its : rank;
	}
	return f->constants.count ? 0 : rank;
}
