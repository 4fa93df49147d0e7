/* kernel_formula.c -- the formula of a grammar, from the program that kernel.c solves.
 *
 * The program is made for all possible calls: there is a supply for each label and each interval, and the number of its
 * calls is a counter.
 */
#include "check/counting/languages/kernel_formula.h"

#include <stdio.h>

#include "base/error.h"
#include "check/counting/languages/kernel_program.h"

enum { MOST_VARIABLES = 20000, LABEL_ROOM = 120 };

/* The meaning of a variable: it counts the calls of a supply that are this letter at this place. */
struct calls {
	uint32_t supply, terminal, place;
};

struct lp_kernel_formula {
	struct lp_kernel_program p;
	uint32_t k;
	struct {
		LP_VEC(uint32_t);
	} names;         /* the triples that can be reached */
	uint32_t *index; /* for each triple its index in `names` */
	uint32_t first_call;
	struct {
		LP_VEC(struct calls);
	} calls; /* the meaning of the variables from first_call on */
};

/* Makes a supply for each label and each interval, and, for pending calls, one for each method with arguments and each
 * start. */
static void supply_all(struct lp_kernel_formula *f)
{
	const struct lp_kernel *g = f->p.g;

	for (uint32_t t = 0; t < g->terminals.count; t++)
		for (uint32_t from = 0; from <= f->k; from++)
			for (uint32_t to = from; to <= f->k; to++)
				lp_kernel_program_supply(&f->p, &(struct lp_supply){ .terminal = t, .from = from, .to = to });
	for (uint32_t t = 0; t < g->terminals.count; t++) {
		struct lp_supply s = { .open = g->terminals.at[t], .to = f->k };
		s.open.pending = true;
		s.open.results = 0;
		s.open.result = 0;
		for (s.from = 0; s.from <= f->k; s.from++)
			lp_kernel_program_supply(&f->p, &s);
	}
}

/* Lists the variables in the order in which kernel_program.c numbers them. */
static void list_calls(struct lp_kernel_formula *f)
{
	f->first_call = f->p.instances.count + f->p.places;
	for (uint32_t i = 0; i < f->p.supplies.count; i++) {
		const struct lp_supply *s = &f->p.supplies.at[i];
		for (uint32_t t = 0; t < f->p.g->terminals.count; t++)
			for (uint32_t place = s->from; lp_supply_gives(f->p.g, s, t) && place <= s->to; place++)
				LP_PUSH(&f->calls, ((struct calls){ i, t, place }));
	}
}

struct lp_kernel_formula *lp_kernel_formula_open(const struct lp_kernel *g, unsigned k, struct lp_error *error)
{
	const uint64_t n = k + 1;

	/* There is an instance for each rule and at most three places, and a variable for each label and three
	 * places. */
	if ((g->rules.count + 2 * (uint64_t)g->terminals.count) * n * n * n > 6 * (uint64_t)MOST_VARIABLES) {
		lp_fail(error, "cannot write the formula: it would have more than %d variables", MOST_VARIABLES);
		return NULL;
	}
	struct lp_kernel_formula *f = lp_alloc_zero(1, sizeof *f);

	f->k = k;
	lp_kernel_program_open(&f->p, g, k + 1);
	supply_all(f);
	lp_kernel_program_letters(&f->p);
	lp_kernel_program_make(&f->p);
	list_calls(f);
	f->index = lp_alloc(sizeof *f->index * (f->p.triples + 1));
	for (uint32_t id = 0; id < f->p.triples; id++) {
		f->index[id] = f->p.reached[id] ? f->names.count : UINT32_MAX;
		if (f->p.reached[id])
			LP_PUSH(&f->names, id);
	}
	return f;
}

void lp_kernel_formula_close(struct lp_kernel_formula *f)
{
	if (!f)
		return;
	lp_kernel_program_close(&f->p);
	lp_free(f->names.at);
	lp_free(f->calls.at);
	lp_free(f->index);
	lp_free(f);
}

/* ---- variables ---- */

uint32_t lp_kernel_formula_variables(const struct lp_kernel_formula *f)
{
	return f->p.linear.variables;
}

void lp_kernel_formula_variable(const struct lp_kernel_formula *f, uint32_t v, char *text, size_t size)
{
	if (v < f->p.instances.count)
		snprintf(text, size, "r%u", v + 1);
	else if (v < f->first_call)
		snprintf(text, size, "e%u", v - f->p.instances.count);
	else
		snprintf(text, size, "c%u", v - f->first_call + 1);
}

static void put_triple(const struct lp_kernel_formula *f, uint32_t id, char *text, size_t size)
{
	const uint32_t n = f->p.places;

	snprintf(text, size, "%.80s[%u..%u]", f->p.g->spelling.at[id / n / n], id / n % n, id % n);
}

static void put_label(const struct lp_kernel_formula *f, const struct lp_label *label, char *text, size_t size)
{
	char inner[LABEL_ROOM];

	lp_label_print(f->p.g->kind, label, inner, sizeof inner);
	snprintf(text, size, "<%s>", inner);
}

static void put_symbol(const struct lp_kernel_formula *f, uint32_t symbol, char *text, size_t size)
{
	if (symbol < f->p.triples) {
		put_triple(f, symbol, text, size);
		return;
	}
	char label[LABEL_ROOM + 2];
	put_label(f, &f->p.g->terminals.at[(symbol - f->p.triples) / f->p.places], label, sizeof label);
	snprintf(text, size, "%s@%u", label, (symbol - f->p.triples) % f->p.places);
}

static void say_calls(const struct lp_kernel_formula *f, const struct calls *c, char *text, size_t size)
{
	const struct lp_supply *s = &f->p.supplies.at[c->supply];
	char called[LABEL_ROOM + 2], as[LABEL_ROOM + 2];

	put_label(f, s->open.pending ? &s->open : &f->p.g->terminals.at[s->terminal], called, sizeof called);
	put_label(f, &f->p.g->terminals.at[c->terminal], as, sizeof as);
	snprintf(text, size, "calls %s over %u..%u that take effect at %u%s%s", called, s->from, s->to, c->place,
		 s->open.pending ? ", as " : "", s->open.pending ? as : "");
}

static void say_rule(const struct lp_kernel_formula *f, const struct lp_rule_instance *in, char *text, size_t size)
{
	char symbol[2 * LABEL_ROOM];

	put_triple(f, in->left, symbol, sizeof symbol);
	size_t used = (size_t)snprintf(text, size, "%s ->", symbol);
	for (uint32_t i = 0; i < 2 && used < size; i++)
		if (in->right[i] != UINT32_MAX) {
			put_symbol(f, in->right[i], symbol, sizeof symbol);
			used += (size_t)snprintf(text + used, size - used, " %s", symbol);
		}
}

void lp_kernel_formula_meaning(const struct lp_kernel_formula *f, uint32_t v, char *text, size_t size)
{
	if (v < f->p.instances.count)
		say_rule(f, &f->p.instances.at[v], text, size);
	else if (v < f->first_call)
		snprintf(text, size, "the word ends at place %u", v - f->p.instances.count);
	else
		say_calls(f, &f->calls.at[v - f->first_call], text, size);
}

/* ---- rows ---- */

uint32_t lp_kernel_formula_rows(const struct lp_kernel_formula *f)
{
	return f->p.linear.rows.count;
}

/* Rows: one for each name, one for the start, one for each supply, one for each letter. */
struct lp_formula_row lp_kernel_formula_row(const struct lp_kernel_formula *f, uint32_t row)
{
	const struct lp_linear *l = &f->p.linear;
	const uint32_t supplies = f->names.count + 1, letters = supplies + f->p.supplies.count;
	const uint32_t end = row + 1 < l->rows.count ? l->rows.at[row + 1].first : l->entries.count;
	struct lp_formula_row r = {
		.part = row < f->names.count ? LP_PART_NAMES : row < supplies ? LP_PART_START :
			row < letters	     ? LP_PART_CALLS : LP_PART_LETTERS,
		.entries = l->entries.at + l->rows.at[row].first, .count = end - l->rows.at[row].first,
		.at_most = l->rows.at[row].relation == LP_AT_MOST, .number = l->rows.at[row].limit,
	};

	if (r.part == LP_PART_CALLS) {
		const struct lp_supply *s = &f->p.supplies.at[row - supplies];
		r.counted = true;
		r.from = s->from;
		r.to = s->to;
		put_label(f, s->open.pending ? &s->open : &f->p.g->terminals.at[s->terminal], r.label, sizeof r.label);
	}
	return r;
}

/* ---- names ---- */

uint32_t lp_kernel_formula_names(const struct lp_kernel_formula *f)
{
	return f->names.count;
}

void lp_kernel_formula_name(const struct lp_kernel_formula *f, uint32_t name, char *text, size_t size)
{
	put_triple(f, f->names.at[name], text, size);
}

uint32_t lp_kernel_formula_rules(const struct lp_kernel_formula *f)
{
	return f->p.instances.count;
}

uint32_t lp_kernel_formula_left(const struct lp_kernel_formula *f, uint32_t rule)
{
	return f->index[f->p.instances.at[rule].left];
}

uint32_t lp_kernel_formula_right(const struct lp_kernel_formula *f, uint32_t rule, uint32_t which)
{
	const uint32_t symbol = f->p.instances.at[rule].right[which];

	return symbol < f->p.triples ? f->index[symbol] : UINT32_MAX;
}

uint32_t lp_kernel_formula_start(const struct lp_kernel_formula *f, uint32_t name)
{
	const uint32_t id = f->names.at[name];

	return id < f->p.places ? f->p.instances.count + id : UINT32_MAX;
}
