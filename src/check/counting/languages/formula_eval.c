/* formula_eval.c -- evaluates formulae on the counters. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "check/counting/languages/formula.h"
#include "check/counting/languages/formula_tree.h"

struct valued {
	int64_t value;
	uint32_t label;
};

struct look {
	const struct lp_formulae *f;
	const struct lp_counts *c;
	uint32_t label[LP_MOST_SLOTS];
	int64_t *place;
	uint32_t *constant; /* for each constant of the formulae its label in the
			     * counters; UINT32_MAX if it does not occur */
	struct valued *by_value;
	uint32_t valued;
	uint32_t *witness, room, found, depth;
};

static bool holds(struct look *l, uint32_t root);

static uint32_t label_id(const struct look *l, uint32_t n)
{
	const struct lp_node *x = &l->f->nodes.at[n];
	return x->kind == LP_NODE_LABEL ? l->label[x->a] : l->constant[x->a];
}

static const struct lp_label *label(const struct look *l, uint32_t n)
{
	const struct lp_node *x = &l->f->nodes.at[n];
	return x->kind == LP_NODE_LABEL ? &l->c->labels.at[l->label[x->a]].label :
					  &l->f->constants.at[x->a];
}

/* Numbers wrap around rather than fail; counts never get near that. */
static int64_t number(struct look *l, uint32_t root)
{
	const struct lp_node *n = &l->f->nodes.at[root];

	switch (n->kind) {
	case LP_NODE_INT:
		return n->number;
	case LP_NODE_K:
		return l->c->k;
	case LP_NODE_PLACE:
		return l->place[n->a];
	case LP_NODE_COUNT: {
		const int64_t from = number(l, n->b), to = number(l, n->c);
		const uint32_t id = label_id(l, n->a);
		if (id == UINT32_MAX || from < 0 || to > l->c->k || from > to)
			return 0;
		return (int64_t)lp_counts_number(l->c, id, (uint32_t)from, (uint32_t)to);
	}
	case LP_NODE_ADD:
		return (int64_t)((uint64_t)number(l, n->a) + (uint64_t)number(l, n->b));
	case LP_NODE_SUB:
		return (int64_t)((uint64_t)number(l, n->a) - (uint64_t)number(l, n->b));
	case LP_NODE_MUL:
		return (int64_t)((uint64_t)number(l, n->a) * (uint64_t)number(l, n->b));
	default:
		break;
	}
	int64_t sum = 0;
	const int64_t to = number(l, n->c);
	for (int64_t i = number(l, n->b); i <= to; i++) {
		l->place[n->a] = i;
		sum = (int64_t)((uint64_t)sum + (uint64_t)number(l, n->d));
	}
	return sum;
}

static bool predicate(const struct look *l, const struct lp_node *n)
{
	const struct lp_kind *kind = l->f->kind;
	const struct lp_label *x = label(l, n->a), *y = label(l, n->b);
	const unsigned roles = kind->methods[x->method].roles;
	int64_t a, b;

	switch ((enum lp_predicate)n->number) {
	case LP_PRED_SAME:
		return lp_label_value(kind, x, &a) && lp_label_value(kind, y, &b) && a == b;
	case LP_PRED_EQUAL:
		return lp_label_equal(x, y);
	case LP_PRED_EMPTY:
		return !x->pending && x->results && x->result == LP_EMPTY;
	case LP_PRED_PENDING:
		return x->pending;
	case LP_PRED_VALUE:
		return lp_label_value(kind, x, &a);
	case LP_PRED_INSERTS:
		return roles & LP_INSERTS;
	case LP_PRED_REMOVES:
		return roles & LP_REMOVES;
	}
	return false;
}

static int by_value(const void *a, const void *b)
{
	const struct valued *x = a, *y = b;
	return (x->value > y->value) - (x->value < y->value);
}

/* Finds the first label whose value is at least this one. */
static uint32_t first_with(const struct look *l, int64_t value)
{
	uint32_t low = 0, high = l->valued;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (l->by_value[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool exists(struct look *l, const struct lp_formula_plan *p, uint32_t at);

static bool try_label(struct look *l, const struct lp_formula_plan *p, uint32_t at, uint32_t id)
{
	l->label[p->slot[at]] = id;
	for (uint32_t i = p->first[at]; i < p->first[at + 1]; i++)
		if (!holds(l, p->conjuncts.at[i]))
			return false;
	return exists(l, p, at + 1);
}

static bool exists(struct look *l, const struct lp_formula_plan *p, uint32_t at)
{
	if (at == p->vars) {
		/* The labels of the outermost quantifier are the witness. */
		for (uint32_t i = 0; l->depth == 1 && i < p->vars && l->found < l->room; i++)
			l->witness[l->found++] = l->label[p->slot[i]];
		return true;
	}
	if (p->join[at] != UINT32_MAX) {
		int64_t value;
		if (!lp_label_value(l->f->kind, &l->c->labels.at[l->label[p->join[at]]].label, &value))
			return false;
		for (uint32_t i = first_with(l, value);
		     i < l->valued && l->by_value[i].value == value; i++)
			if (try_label(l, p, at, l->by_value[i].label))
				return true;
		return false;
	}
	for (uint32_t i = 0; i < l->c->labels.count; i++)
		if (l->c->labels.at[i].spans != LP_NO_SPAN && try_label(l, p, at, i))
			return true;
	return false;
}

static bool holds(struct look *l, uint32_t root)
{
	const struct lp_node *n = &l->f->nodes.at[root];
	bool found;

	switch (n->kind) {
	case LP_NODE_TRUE:
		return true;
	case LP_NODE_LE:
		return number(l, n->a) <= number(l, n->b);
	case LP_NODE_LT:
		return number(l, n->a) < number(l, n->b);
	case LP_NODE_EQ:
		return number(l, n->a) == number(l, n->b);
	case LP_NODE_METHOD:
		return label(l, n->a)->method == n->number;
	case LP_NODE_PRED:
		return predicate(l, n);
	case LP_NODE_NOT:
		return !holds(l, n->a);
	case LP_NODE_AND:
		return holds(l, n->a) && holds(l, n->b);
	case LP_NODE_OR:
		return holds(l, n->a) || holds(l, n->b);
	case LP_NODE_SOME:
	case LP_NODE_ALL: {
		const bool some = n->kind == LP_NODE_SOME;
		const int64_t to = number(l, n->c);
		for (int64_t i = number(l, n->b); i <= to; i++) {
			l->place[n->a] = i;
			if (holds(l, n->d) == some)
				return some;
		}
		return !some;
	}
	case LP_NODE_EXISTS:
		l->depth++;
		found = exists(l, &l->f->plans.at[n->number], 0);
		l->depth--;
		return found;
	default:
		return false;
	}
}

static void begin(struct look *l, const struct lp_formulae *f, const struct lp_counts *c)
{
	*l = (struct look){ .f = f, .c = c };
	l->place = lp_alloc(sizeof *l->place * (f->places + 1));
	l->constant = lp_alloc(sizeof *l->constant * (f->constants.count + 1));
	l->by_value = lp_alloc(sizeof *l->by_value * (c->labels.count + 1));
	for (uint32_t i = 0; i < f->constants.count; i++)
		l->constant[i] = lp_counts_find(c, &f->constants.at[i]);
	for (uint32_t i = 0; i < c->labels.count; i++) {
		struct valued v = { .label = i };
		if (c->labels.at[i].spans != LP_NO_SPAN &&
		    lp_label_value(f->kind, &c->labels.at[i].label, &v.value))
			l->by_value[l->valued++] = v;
	}
	qsort(l->by_value, l->valued, sizeof *l->by_value, by_value);
}

static void finish(struct look *l)
{
	lp_free(l->place);
	lp_free(l->constant);
	lp_free(l->by_value);
}

static bool breaks(struct look *l, uint32_t statement)
{
	const struct lp_statement *s = &l->f->statements.at[statement];
	return holds(l, s->root) == s->is_violation;
}

bool lp_formulae_is_broken(const struct lp_formulae *f, uint32_t statement,
			   const struct lp_counts *c)
{
	struct look l;

	begin(&l, f, c);
	const bool broken = breaks(&l, statement);
	finish(&l);
	return broken;
}

uint32_t lp_formulae_broken(const struct lp_formulae *f, const struct lp_counts *c,
			    uint32_t *witness, uint32_t room, uint32_t *count)
{
	struct look l;
	uint32_t broken = UINT32_MAX;

	begin(&l, f, c);
	l.witness = witness;
	l.room = room;
	for (uint32_t i = 0; i < f->statements.count && broken == UINT32_MAX; i++) {
		l.found = 0;
		if (breaks(&l, i))
			broken = i;
	}
	if (count)
		*count = broken == UINT32_MAX ? 0 : l.found;
	finish(&l);
	return broken;
}

bool lp_formulae_tell(const struct lp_formulae *f, const struct lp_counts *c, char *text, size_t size)
{
	uint32_t witness[8], count;
	const uint32_t which = lp_formulae_broken(f, c, witness, 8, &count);

	if (which == UINT32_MAX)
		return false;
	size_t used = (size_t)snprintf(text, size, "%s", lp_formulae_name(f, which));
	for (uint32_t i = 0; i < count && used < size; i++) {
		char label[200];
		lp_label_print(c->spec.kind, &c->labels.at[witness[i]].label, label, sizeof label);
		used += (size_t)snprintf(text + used, size - used, "%s %s", i ? "," : ":", label);
	}
	return true;
}
