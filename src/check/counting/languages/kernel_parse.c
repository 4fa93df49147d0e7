/* kernel_parse.c -- parses grammars. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "check/counting/languages/kernel.h"
#include "check/counting/languages/kernel_grammar.h"
#include "check/counting/tokens.h"

enum { MOST_NAMES = 1000, MOST_TERMINALS = 1000 };

struct name {
	const char *text; /* the name in the text; for a name that was added to split a
			   * rule, the name that has the rule */
	size_t length;
	bool defined, part;
};

struct parser {
	struct lp_tokens t;
	struct lp_kernel *g;
	struct {
		LP_VEC(struct name);
	} names;
};

static uint32_t name_id(struct parser *p)
{
	for (uint32_t i = 0; i < p->names.count; i++)
		if (p->names.at[i].length == p->t.length && !p->names.at[i].part &&
		    !memcmp(p->names.at[i].text, p->t.text, p->t.length))
			return i;
	const struct name new = { p->t.text, p->t.length, false, false };
	if (p->names.count >= MOST_NAMES)
		lp_tokens_fail(&p->t, p->t.text, "more than %d names", MOST_NAMES);
	LP_PUSH(&p->names, new);
	return p->names.count - 1;
}

static uint32_t terminal_id(struct parser *p, const struct lp_label *l)
{
	for (uint32_t i = 0; i < p->g->terminals.count; i++)
		if (lp_label_equal(&p->g->terminals.at[i], l))
			return i;
	if (p->g->terminals.count >= MOST_TERMINALS)
		lp_tokens_fail(&p->t, p->t.text, "more than %d labels", MOST_TERMINALS);
	LP_PUSH(&p->g->terminals, *l);
	p->g->methods |= UINT64_C(1) << l->method;
	return p->g->terminals.count - 1;
}

/* Adds a rule, and splits it so that right-hand sides have at most two symbols: A -> x R,
 * R -> y z. */
static void add_rule(struct parser *p, uint32_t left, const uint32_t *right, uint32_t length)
{
	struct lp_rule r = { .left = left, .length = length };

	if (length > 2) {
		const struct name rest = { p->names.at[left].text, p->names.at[left].length, true, true };
		const uint32_t id = p->names.count;
		if (id >= MOST_NAMES)
			lp_tokens_fail(&p->t, p->t.text, "more than %d names", MOST_NAMES);
		LP_PUSH(&p->names, rest);
		r.length = 2;
		r.right[0] = right[0];
		r.right[1] = LP_SYMBOL_NAME + id;
		LP_PUSH(&p->g->rules, r);
		if (!p->t.failed)
			add_rule(p, id, right + 1, length - 1);
		return;
	}
	memcpy(r.right, right, sizeof *right * length);
	LP_PUSH(&p->g->rules, r);
}

static void parse_alternative(struct parser *p, uint32_t left)
{
	uint32_t right[64], length = 0;

	while (!p->t.failed && !lp_tokens_is(&p->t, "|") && !lp_tokens_is(&p->t, ";")) {
		uint32_t symbol = 0;
		if (length == 64) {
			lp_tokens_fail(&p->t, p->t.text, "more than 64 symbols in a row");
		} else if (lp_tokens_is(&p->t, "<")) {
			struct lp_label l;
			const char *at = p->t.text;
			if (!lp_label_parse(&p->t, p->g->kind, &l))
				return;
			if (l.pending)
				lp_tokens_fail(&p->t, at, "a run has no pending calls");
			symbol = terminal_id(p, &l);
		} else if (p->t.kind == LP_TOKEN_WORD) {
			symbol = LP_SYMBOL_NAME + name_id(p);
			lp_tokens_next(&p->t);
		} else {
			lp_tokens_wrong(&p->t, "expected a name, '<label>', '|' or ';'");
		}
		if (!p->t.failed)
			right[length++] = symbol;
	}
	if (!p->t.failed)
		add_rule(p, left, right, length);
}

static void keep_names(struct parser *p)
{
	p->g->names = p->names.count;
	for (uint32_t i = 0; i < p->names.count; i++) {
		const struct name *name = &p->names.at[i];
		const size_t size = name->length + 16;
		char *text = lp_alloc(size);
		snprintf(text, size, "%.*s", (int)name->length, name->text);
		if (name->part)
			snprintf(text + name->length, size - name->length, "'%u", i);
		LP_PUSH(&p->g->spelling, text);
	}
}

struct lp_kernel *lp_kernel_parse(const char *name, const char *text, size_t length,
				  const struct lp_kind *kind, struct lp_error *error)
{
	static const char *const signs[] = { "->", "=>", "<", ">", "(", ")", ",", "|", ";", "-", NULL };
	struct parser p = { .g = lp_alloc_zero(1, sizeof *p.g) };

	p.g->kind = kind;
	lp_tokens_open(&p.t, name, text, length, signs, error);
	if (p.t.kind == LP_TOKEN_END)
		lp_tokens_wrong(&p.t, "expected a rule");
	while (!p.t.failed && p.t.kind != LP_TOKEN_END) {
		if (p.t.kind != LP_TOKEN_WORD) {
			lp_tokens_wrong(&p.t, "expected the name that a rule is for");
			break;
		}
		const uint32_t left = name_id(&p);
		if (!p.t.failed && p.names.at[left].defined)
			lp_tokens_fail(&p.t, p.t.text, "'%.*s' has its rules already",
				       (int)p.t.length, p.t.text);
		p.names.at[left].defined = true;
		lp_tokens_next(&p.t);
		lp_tokens_expect(&p.t, "->");
		do
			parse_alternative(&p, left);
		while (!p.t.failed && lp_tokens_skip(&p.t, "|"));
		lp_tokens_expect(&p.t, ";");
	}
	for (uint32_t i = 0; i < p.names.count && !p.t.failed; i++)
		if (!p.names.at[i].defined)
			lp_tokens_fail(&p.t, p.names.at[i].text, "'%.*s' has no rules",
				       (int)p.names.at[i].length, p.names.at[i].text);
	keep_names(&p);
	lp_free(p.names.at);
	if (p.t.failed) {
		lp_kernel_close(p.g);
		return NULL;
	}
	return p.g;
}

bool lp_kernel_names_values(const struct lp_kernel *g)
{
	for (uint32_t i = 0; i < g->terminals.count; i++) {
		const struct lp_label *l = &g->terminals.at[i];
		int64_t value;
		if (l->args || lp_label_value(g->kind, l, &value))
			return true;
	}
	return false;
}

void lp_kernel_close(struct lp_kernel *g)
{
	if (!g)
		return;
	for (uint32_t i = 0; i < g->spelling.count; i++)
		lp_free(g->spelling.at[i]);
	lp_free(g->spelling.at);
	lp_free(g->terminals.at);
	lp_free(g->rules.at);
	lp_free(g);
}
