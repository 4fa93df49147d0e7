/* test_kernel_formula.c -- the formula of a grammar against the words of the grammar.
 *
 *     test_kernel_formula [RUNS [SEED]]
 *
 * Random grammars over a few labels of a lock, and random counts of few calls.  The formula is solved by trying all numbers,
 * row by row, and knows nothing of words.  The definition tries all words of the grammar, all places of their letters, and all
 * ways to take the letters for calls.  A case on which they differ is made smaller, and shown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "check/counting/languages/kernel.h"
#include "check/counting/languages/kernel_formula.h"
#include "spec/spec.h"

enum { LABELS = 4, NAMES = 3, MOST_CALLS = 4, MOST_K = 2, WORDS = 4096, MOST_USES = 12, ROOM = 2048 };

static const char *const labels[LABELS] = { "<lock>", "<unlock>", "<trylock => true>", "<trylock => false>" };
static const char *const open_labels[3] = { "<lock => pending>", "<unlock => pending>", "<trylock => pending>" };
static const uint32_t method_of[LABELS] = { 0, 1, 2, 2 };

static uint64_t state;

static uint32_t below(uint32_t n)
{
	state += UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(lp_mix(state) % n);
}

/* ---- a random grammar: A -> label ... | ..., in which each alternative is empty or has a label ---- */

struct alternative {
	uint32_t length;
	int symbol[4]; /* a label, or ~name */
};

struct grammar {
	uint32_t names;
	uint32_t count[NAMES];
	struct alternative at[NAMES][3];
};

static void make_grammar(struct grammar *g)
{
	g->names = 1 + below(NAMES);
	for (uint32_t n = 0; n < g->names; n++) {
		g->count[n] = 1 + below(3);
		for (uint32_t i = 0; i < g->count[n]; i++) {
			struct alternative *a = &g->at[n][i];
			a->length = below(3) && i ? 1 + below(4) : 0;
			for (uint32_t s = 0; s < a->length; s++)
				a->symbol[s] = below(2) ? (int)below(LABELS) : ~(int)below(g->names);
			if (a->length)
				a->symbol[below(a->length)] = (int)below(LABELS);
		}
	}
}

static void print_grammar(const struct grammar *g, char *text)
{
	size_t used = 0;

	for (uint32_t n = 0; n < g->names; n++) {
		used += (size_t)snprintf(text + used, ROOM - used, "N%u ->", n);
		for (uint32_t i = 0; i < g->count[n]; i++) {
			used += (size_t)snprintf(text + used, ROOM - used, "%s", i ? " |" : "");
			for (uint32_t s = 0; s < g->at[n][i].length; s++)
				if (g->at[n][i].symbol[s] >= 0)
					used += (size_t)snprintf(text + used, ROOM - used, " %s", labels[g->at[n][i].symbol[s]]);
				else
					used += (size_t)snprintf(text + used, ROOM - used, " N%d", ~g->at[n][i].symbol[s]);
		}
		used += (size_t)snprintf(text + used, ROOM - used, ";\n");
	}
}

/* ---- counts ---- */

struct counts {
	uint32_t k;
	uint32_t done[LABELS][MOST_K + 1][MOST_K + 1]; /* #(label, from, to) */
	uint32_t open[3][MOST_K + 1];                  /* #(label, from, k) */
};

static uint32_t calls_in(const struct counts *c)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < sizeof c->done / sizeof(uint32_t); i++)
		sum += (&c->done[0][0][0])[i];
	for (uint32_t i = 0; i < sizeof c->open / sizeof(uint32_t); i++)
		sum += (&c->open[0][0])[i];
	return sum;
}

static void make_counts(struct counts *c)
{
	*c = (struct counts){ .k = below(MOST_K + 1) };
	for (uint32_t calls = below(MOST_CALLS + 1); calls; calls--) {
		const uint32_t from = below(c->k + 1), to = from + below(c->k + 1 - from);
		if (below(5))
			c->done[below(LABELS)][from][to]++;
		else
			c->open[below(3)][from]++;
	}
}

/* ---- the definition ---- */

/* Can the letters of a word, from the i-th on, be these calls, at places from `place` on? */
static bool is_covered(struct counts *c, const int *word, uint32_t length, uint32_t i, uint32_t place)
{
	if (i == length) {
		uint32_t left = 0;
		for (uint32_t j = 0; j < sizeof c->done / sizeof(uint32_t); j++)
			left += (&c->done[0][0][0])[j];
		return !left;
	}
	for (uint32_t p = place; p <= c->k; p++) {
		for (uint32_t from = 0; from <= p; from++) {
			for (uint32_t to = p; to <= c->k + 1; to++) { /* k + 1: a pending one */
				uint32_t *n = to <= c->k ? &c->done[word[i]][from][to] : &c->open[method_of[word[i]]][from];
				if (!*n)
					continue;
				--*n;
				const bool covered = is_covered(c, word, length, i + 1, p);
				++*n;
				if (covered)
					return true;
			}
		}
	}
	return false;
}

struct derivation {
	const struct grammar *g;
	struct counts *c;
	uint32_t most;
	int word[MOST_CALLS];
};

static bool derives(struct derivation *d, const int *rest, uint32_t count, uint32_t length)
{
	int next[64];

	if (!count)
		return is_covered(d->c, d->word, length, 0, 0);
	if (rest[0] >= 0) {
		if (length == d->most)
			return false;
		d->word[length] = rest[0];
		return derives(d, rest + 1, count - 1, length + 1);
	}
	const uint32_t n = (uint32_t)~rest[0];
	for (uint32_t i = 0; i < d->g->count[n]; i++) {
		const struct alternative *a = &d->g->at[n][i];
		uint32_t letters = length;
		memcpy(next, a->symbol, sizeof *next * a->length);
		memcpy(next + a->length, rest + 1, sizeof *next * (count - 1));
		for (uint32_t s = 0; s < a->length + count - 1; s++)
			letters += next[s] >= 0;
		if (letters <= d->most && derives(d, next, a->length + count - 1, length))
			return true;
	}
	return false;
}

static bool is_right(const struct grammar *g, struct counts *c)
{
	struct derivation d = { .g = g, .c = c, .most = calls_in(c) };
	const int start = ~0;

	return derives(&d, &start, 1, 0);
}

/* ---- the formula ---- */

struct solver {
	const struct lp_kernel_formula *f;
	uint32_t variables, rows;
	struct lp_formula_row *row;
	int64_t *limit;
};

static int64_t counter(const struct counts *c, const struct lp_formula_row *row)
{
	for (uint32_t i = 0; i < LABELS; i++)
		if (!strcmp(row->label, labels[i]))
			return c->done[i][row->from][row->to];
	for (uint32_t i = 0; i < 3; i++)
		if (!strcmp(row->label, open_labels[i]))
			return c->open[i][row->from];
	fprintf(stderr, "what is #(%s, %u, %u)?\n", row->label, row->from, row->to);
	exit(1);
}

/* Makes the bounds of the variables narrower; false if a row cannot hold. */
static bool narrow(const struct solver *s, int64_t *low, int64_t *high)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t r = 0; r < s->rows; r++) {
			const struct lp_formula_row *row = &s->row[r];
			int64_t least = 0, most = 0;
			for (uint32_t i = 0; i < row->count; i++) {
				const int64_t t = row->entries[i].times, v = row->entries[i].variable;
				least += t * (t > 0 ? low[v] : high[v]);
				most += t * (t > 0 ? high[v] : low[v]);
			}
			if (least > s->limit[r] || (!row->at_most && most < s->limit[r]))
				return false;
			for (uint32_t i = 0; i < row->count; i++) {
				const int64_t t = row->entries[i].times, v = row->entries[i].variable;
				while (low[v] < high[v] && least + (t > 0 ? t : -t) * (high[v] - low[v]) > s->limit[r]) {
					*(t > 0 ? &high[v] : &low[v]) += t > 0 ? -1 : 1;
					changed = true;
				}
				while (!row->at_most && low[v] < high[v] &&
				       most - (t > 0 ? t : -t) * (high[v] - low[v]) < s->limit[r]) {
					*(t > 0 ? &low[v] : &high[v]) += t > 0 ? 1 : -1;
					changed = true;
				}
				if (changed)
					break; /* sums have changed */
			}
		}
	}
	return true;
}

/* Is each name that is replaced reached from the start? */
static bool is_reached(const struct lp_kernel_formula *f, const int64_t *x)
{
	const uint32_t names = lp_kernel_formula_names(f);
	bool *reached = calloc(names + 1, 1), good = true;

	for (uint32_t n = 0; n < names; n++)
		reached[n] = lp_kernel_formula_start(f, n) != UINT32_MAX && x[lp_kernel_formula_start(f, n)];
	for (uint32_t round = 0; round < names; round++)
		for (uint32_t r = 0; r < lp_kernel_formula_rules(f); r++)
			for (uint32_t i = 0; i < 2 && x[r] && reached[lp_kernel_formula_left(f, r)]; i++)
				if (lp_kernel_formula_right(f, r, i) != UINT32_MAX)
					reached[lp_kernel_formula_right(f, r, i)] = true;
	for (uint32_t r = 0; r < lp_kernel_formula_rules(f); r++)
		good &= !x[r] || reached[lp_kernel_formula_left(f, r)];
	free(reached);
	return good;
}

static bool solve(const struct solver *s, const int64_t *low, const int64_t *high)
{
	int64_t l[1024], h[1024];
	uint32_t open = UINT32_MAX;

	memcpy(l, low, sizeof *l * s->variables);
	memcpy(h, high, sizeof *h * s->variables);
	if (!narrow(s, l, h))
		return false;
	for (uint32_t v = 0; v < s->variables; v++)
		if (l[v] < h[v] && (open == UINT32_MAX || h[v] - l[v] < h[open] - l[open]))
			open = v;
	if (open == UINT32_MAX)
		return is_reached(s->f, l);
	const int64_t first = l[open], last = h[open];
	for (int64_t value = first; value <= last; value++) {
		l[open] = h[open] = value;
		if (solve(s, l, h))
			return true;
	}
	return false;
}

static bool holds(const struct lp_kernel *g, const struct counts *c)
{
	struct lp_error error = { 0 };
	struct lp_kernel_formula *f = lp_kernel_formula_open(g, c->k, &error);
	int64_t low[1024] = { 0 }, high[1024];

	if (!f || lp_kernel_formula_variables(f) > 1024) {
		fprintf(stderr, "no formula: %s\n", error.text);
		exit(1);
	}
	struct solver s = { f, lp_kernel_formula_variables(f), lp_kernel_formula_rows(f), NULL, NULL };
	s.row = malloc(sizeof *s.row * (s.rows + 1));
	s.limit = malloc(sizeof *s.limit * (s.rows + 1));
	for (uint32_t r = 0; r < s.rows; r++) {
		s.row[r] = lp_kernel_formula_row(f, r);
		s.limit[r] = s.row[r].counted ? counter(c, &s.row[r]) : s.row[r].number;
	}
	for (uint32_t v = 0; v < s.variables; v++)
		high[v] = MOST_USES;
	const bool answer = solve(&s, low, high);
	free(s.row);
	free(s.limit);
	lp_kernel_formula_close(f);
	return answer;
}

/* ---- the comparison ---- */

/* Labels that do not occur in the grammar do not concern the formula. */
static void drop_strangers(struct counts *c, const char *text)
{
	for (uint32_t i = 0; i < LABELS; i++)
		if (!strstr(text, labels[i]))
			memset(c->done[i], 0, sizeof c->done[i]);
	for (uint32_t m = 0; m < 3; m++)
		if (!strstr(text, labels[m]) && (m < 2 || !strstr(text, labels[3])))
			memset(c->open[m], 0, sizeof c->open[m]);
}

static bool differ(const struct grammar *g, struct counts *c, bool *right)
{
	char text[ROOM];
	struct lp_error error = { 0 };

	print_grammar(g, text);
	drop_strangers(c, text);
	struct lp_kernel *kernel = lp_kernel_parse("g", text, strlen(text), lp_kind_named("lock"), &error);
	if (!kernel) {
		fprintf(stderr, "%s\n%s\n", text, error.text);
		exit(1);
	}
	*right = is_right(g, c);
	const bool formula = holds(kernel, c);
	lp_kernel_close(kernel);
	return formula != *right;
}

static void shrink(const struct grammar *g, struct counts *c)
{
	uint32_t *at = &c->done[0][0][0];
	bool right;

	for (uint32_t i = 0; i < (sizeof c->done + sizeof c->open) / sizeof *at; i++)
		while (at[i]) {
			at[i]--;
			if (differ(g, c, &right))
				continue;
			at[i]++;
			break;
		}
}

static void show(const struct grammar *g, const struct counts *c, bool right)
{
	char text[ROOM];

	print_grammar(g, text);
	fprintf(stderr, "%sk = %u, by the words %s, by the formula not so:", text, c->k, right ? "right" : "wrong");
	for (uint32_t l = 0; l < LABELS; l++)
		for (uint32_t from = 0; from <= c->k; from++)
			for (uint32_t to = from; to <= c->k; to++)
				if (c->done[l][from][to])
					fprintf(stderr, " %u %s over %u..%u", c->done[l][from][to], labels[l], from, to);
	for (uint32_t m = 0; m < 3; m++)
		for (uint32_t from = 0; from <= c->k; from++)
			if (c->open[m][from])
				fprintf(stderr, " %u %s from %u", c->open[m][from], open_labels[m], from);
	fprintf(stderr, "\n");
}

int main(int argc, char **argv)
{
	const uint32_t runs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 30000;
	uint32_t rights = 0;

	state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	printf("%u runs, seed %llu\n", runs, (unsigned long long)state);
	for (uint32_t run = 0; run < runs; run++) {
		struct grammar g;
		struct counts c;
		bool right;
		make_grammar(&g);
		make_counts(&c);
		if (differ(&g, &c, &right)) {
			shrink(&g, &c);
			differ(&g, &c, &right);
			show(&g, &c, right);
			return 1;
		}
		rights += right;
	}
	printf("%u right, %u wrong\n", rights, runs - rights);
	return rights < runs / 20 || rights > runs - runs / 20; /* both must be met */
}
