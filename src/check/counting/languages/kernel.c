/* kernel.c -- does the language have a word with these counts?
 *
 * Consider words of letters (label, place) whose places never decrease, and which are runs when the
 * places are removed.  They form a context-free language, too.  Its nonterminals are triples (A, q, r):
 * "what A derives, beginning at place q and ending at place r".  A place is entered by the letter that is
 * read there, so that there is one derivation for each derivation of the run and each placement of its letters.
 *
 * By Verma, Seidl and Schwentick (CADE 2005), numbers of uses of the rules belong to some derivation iff
 *
 *   1  each nonterminal is introduced as often as it is replaced (the start symbol is introduced once by itself), and
 *   2  each nonterminal that is replaced can be reached from the start symbol by rules that are used.
 *
 * With the counters of A_k, condition 1 is an integer program of constant size.  Condition 2 is not linear: a
 * solution that violates it is cut off by a new constraint, which says that its unreachable nonterminals are
 * not used, or are introduced from elsewhere.
 *
 * The search for a word (kernel_words.c) is tried first; the integer program is for counts that are too
 * large to try all words.
 */
#include "check/counting/languages/kernel.h"

#include <assert.h>
#include <string.h>

#include "check/counting/counts.h"
#include "check/counting/languages/kernel_grammar.h"
#include "check/counting/linear.h"

enum { MOST_PROGRAMS = 200, MOST_VARIABLES = 3000 };

struct instance {
	uint32_t left;     /* triples, by number */
	uint32_t right[2]; /* triples, or letters + triples; UINT32_MAX: none */
};

struct work {
	const struct lp_kernel *g;
	uint32_t places, triples, letters;
	struct lp_supplies supplies;
	struct {
		LP_VEC(struct instance);
	} instances;
	bool *available; /* letters that some call can be */
	bool *good;      /* triples that derive a word of available letters */
	bool *reached;   /* from the start */
	struct lp_linear program;
	struct lp_fraction *x;
	uint32_t solved;
};

static uint32_t triple(const struct work *w, uint32_t name, uint32_t q, uint32_t r)
{
	return (name * w->places + q) * w->places + r;
}

/* A symbol that begins at q and ends at r; UINT32_MAX if it cannot. */
static uint32_t symbol_over(const struct work *w, uint32_t symbol, uint32_t q, uint32_t r)
{
	if (symbol >= LP_SYMBOL_NAME) {
		const uint32_t id = triple(w, symbol - LP_SYMBOL_NAME, q, r);
		return w->good[id] ? id : UINT32_MAX;
	}
	const uint32_t letter = symbol * w->places + r;
	return w->available[letter] ? w->triples + letter : UINT32_MAX;
}

static void add_supply(struct work *w, const struct lp_supply *new)
{
	for (uint32_t i = 0; i < w->supplies.count; i++) {
		struct lp_supply *s = &w->supplies.at[i];
		if (s->from == new->from && s->to == new->to && s->terminal == new->terminal &&
		    lp_label_equal(&s->open, &new->open)) {
			s->count += new->count;
			return;
		}
	}
	LP_PUSH(&w->supplies, *new);
}

/* The calls, by label and places; false if one has a label that is in no word. */
static bool collect(struct work *w, const struct lp_counts *c)
{
	for (uint32_t i = 0; i < c->labels.count; i++) {
		const struct lp_counted *l = &c->labels.at[i];
		uint32_t t = 0;
		if (l->spans == LP_NO_SPAN || !(w->g->methods >> l->label.method & 1))
			continue;
		while (!l->label.pending && t < w->g->terminals.count &&
		       !lp_label_equal(&w->g->terminals.at[t], &l->label))
			t++;
		if (t == w->g->terminals.count)
			return false;
		for (uint32_t s = l->spans; s != LP_NO_SPAN; s = c->spans.at[s].next) {
			const struct lp_span *span = &c->spans.at[s];
			struct lp_supply supply = { .terminal = t, .count = span->count,
						 .from = lp_counts_place(c, span->start),
						 .to = lp_counts_place(c, span->end) };
			if (l->label.pending)
				supply.open = l->label;
			add_supply(w, &supply);
		}
	}
	for (uint32_t i = 0; i < w->supplies.count; i++) {
		const struct lp_supply *s = &w->supplies.at[i];
		for (uint32_t t = 0; t < w->g->terminals.count; t++)
			for (uint32_t p = s->from; p <= s->to; p++)
				if (lp_supply_gives(w->g, s, t))
					w->available[t * w->places + p] = true;
	}
	return true;
}

/* Calls `each` with all instances of all rules over good symbols, until none is new. */
static void each_instance(struct work *w, void (*each)(struct work *, const struct instance *))
{
	const uint32_t n = w->places;

	for (uint32_t i = 0; i < w->g->rules.count; i++) {
		const struct lp_rule *rule = &w->g->rules.at[i];
		for (uint32_t q = 0; q < n; q++)
			for (uint32_t r = q; r < (rule->length ? n : q + 1); r++) {
				struct instance in = { triple(w, rule->left, q, r),
						       { UINT32_MAX, UINT32_MAX } };
				if (rule->length == 0) {
					each(w, &in);
				} else if (rule->length == 1) {
					in.right[0] = symbol_over(w, rule->right[0], q, r);
					if (in.right[0] != UINT32_MAX)
						each(w, &in);
				}
				for (uint32_t m = q; rule->length == 2 && m <= r; m++) {
					in.right[0] = symbol_over(w, rule->right[0], q, m);
					in.right[1] = symbol_over(w, rule->right[1], m, r);
					if (in.right[0] != UINT32_MAX && in.right[1] != UINT32_MAX)
						each(w, &in);
				}
			}
	}
}

static void mark_good(struct work *w, const struct instance *in)
{
	w->good[in->left] = true;
}

static void mark_reached(struct work *w, const struct instance *in)
{
	for (uint32_t i = 0; i < 2; i++)
		if (w->reached[in->left] && in->right[i] < w->triples)
			w->reached[in->right[i]] = true;
}

static void keep_reached(struct work *w, const struct instance *in)
{
	if (w->reached[in->left])
		LP_PUSH(&w->instances, *in);
}

static uint32_t count_set(const bool *at, uint32_t count)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += at[i];
	return sum;
}

static void make_instances(struct work *w)
{
	uint32_t before;

	do {
		before = count_set(w->good, w->triples);
		each_instance(w, mark_good);
	} while (count_set(w->good, w->triples) > before);
	for (uint32_t r = 0; r < w->places; r++)
		w->reached[triple(w, 0, 0, r)] = w->good[triple(w, 0, 0, r)];
	do {
		before = count_set(w->reached, w->triples);
		each_instance(w, mark_reached);
	} while (count_set(w->reached, w->triples) > before);
	each_instance(w, keep_reached);
}

/* Variables: the instances; then, for each place, that a word ends there; then, for
 * each supply and each letter it can be, how many calls are that letter. */
static void make_program(struct work *w)
{
	struct lp_linear *l = &w->program;
	const uint32_t ends = w->instances.count, letters = ends + w->places;
	uint32_t next = letters;

	for (uint32_t id = 0; id < w->triples; id++) {
		if (!w->reached[id])
			continue;
		lp_linear_row(l, LP_EQUAL, 0);
		for (uint32_t i = 0; i < w->instances.count; i++) {
			const struct instance *in = &w->instances.at[i];
			const int32_t times =
				(in->left == id) - (in->right[0] == id) - (in->right[1] == id);
			if (times)
				lp_linear_put(l, i, times);
		}
		if (id < w->places) /* (start, 0, id) */
			lp_linear_put(l, ends + id, -1);
	}
	lp_linear_row(l, LP_EQUAL, 1);
	for (uint32_t r = 0; r < w->places; r++)
		if (w->reached[r])
			lp_linear_put(l, ends + r, 1);
	for (uint32_t i = 0; i < w->supplies.count; i++) {
		const struct lp_supply *s = &w->supplies.at[i];
		lp_linear_row(l, s->open.pending ? LP_AT_MOST : LP_EQUAL, (int64_t)s->count);
		for (uint32_t t = 0; t < w->g->terminals.count; t++)
			if (lp_supply_gives(w->g, s, t))
				for (uint32_t p = s->from; p <= s->to; p++)
					lp_linear_put(l, next++, 1);
	}
	l->variables = next;
	for (uint32_t letter = 0; letter < w->letters; letter++) {
		if (!w->available[letter])
			continue;
		lp_linear_row(l, LP_EQUAL, 0);
		for (uint32_t i = 0; i < w->instances.count; i++) {
			const uint32_t *right = w->instances.at[i].right;
			const int32_t times = (right[0] == w->triples + letter) +
					      (right[1] == w->triples + letter);
			if (times)
				lp_linear_put(l, i, times);
		}
		next = letters;
		for (uint32_t i = 0; i < w->supplies.count; i++) {
			const struct lp_supply *s = &w->supplies.at[i];
			for (uint32_t t = 0; t < w->g->terminals.count; t++)
				if (lp_supply_gives(w->g, s, t))
					for (uint32_t p = s->from; p <= s->to; p++, next++)
						if (t * w->places + p == letter)
							lp_linear_put(l, next, -1);
		}
	}
}

/* Marks the names that are used but cannot be reached by rules that are used. */
static bool has_islands(const struct work *w, bool *island)
{
	bool *reached = lp_alloc_zero(w->triples + 1, sizeof *reached);
	bool changed = true, any = false;

	for (uint32_t r = 0; r < w->places; r++)
		reached[r] = w->x[w->instances.count + r].over > 0;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < w->instances.count; i++) {
			const struct instance *in = &w->instances.at[i];
			for (uint32_t j = 0; j < 2; j++)
				if (w->x[i].over && reached[in->left] && in->right[j] < w->triples &&
				    !reached[in->right[j]])
					changed = reached[in->right[j]] = true;
		}
	}
	memset(island, 0, sizeof *island * w->triples);
	for (uint32_t i = 0; i < w->instances.count; i++)
		if (w->x[i].over && !reached[w->instances.at[i].left])
			any = island[w->instances.at[i].left] = true;
	lp_free(reached);
	return any;
}

static enum lp_finding search(struct work *w);

/* Goes on with one more row, and takes it back. */
static enum lp_finding search_with(struct work *w, uint32_t rows)
{
	const enum lp_finding finding = search(w);

	lp_linear_keep(&w->program, rows);
	return finding;
}

static enum lp_finding either(enum lp_finding a, enum lp_finding b)
{
	return a == LP_CORRECT || b == LP_CORRECT ? LP_CORRECT :
	       a == LP_WRONG && b == LP_WRONG	  ? LP_WRONG :
						    LP_UNDECIDED;
}

static enum lp_finding split_at(struct work *w, uint32_t variable)
{
	const uint32_t rows = w->program.rows.count;
	const int64_t below = w->x[variable].over / w->x[variable].under;

	lp_linear_row(&w->program, LP_AT_MOST, below);
	lp_linear_put(&w->program, variable, 1);
	const enum lp_finding first = search_with(w, rows);
	if (first == LP_CORRECT)
		return first;
	lp_linear_row(&w->program, LP_AT_LEAST, below + 1);
	lp_linear_put(&w->program, variable, 1);
	return either(first, search_with(w, rows));
}

static enum lp_finding cut_off(struct work *w, const bool *island)
{
	const uint32_t rows = w->program.rows.count;

	lp_linear_row(&w->program, LP_EQUAL, 0);
	for (uint32_t i = 0; i < w->instances.count; i++)
		if (island[w->instances.at[i].left])
			lp_linear_put(&w->program, i, 1);
	const enum lp_finding first = search_with(w, rows);
	if (first == LP_CORRECT)
		return first;
	lp_linear_row(&w->program, LP_AT_LEAST, 1);
	for (uint32_t r = 0; r < w->places; r++)
		if (island[r])
			lp_linear_put(&w->program, w->instances.count + r, 1);
	for (uint32_t i = 0; i < w->instances.count; i++) {
		const struct instance *in = &w->instances.at[i];
		bool enters = false;
		for (uint32_t j = 0; j < 2; j++)
			enters |= in->right[j] < w->triples && island[in->right[j]];
		if (enters && !island[in->left])
			lp_linear_put(&w->program, i, 1);
	}
	return either(first, search_with(w, rows));
}

static enum lp_finding search(struct work *w)
{
	if (w->solved++ >= MOST_PROGRAMS)
		return LP_UNDECIDED;
	const enum lp_finding finding = lp_linear_solve(&w->program, w->x);
	if (finding != LP_CORRECT)
		return finding;
	/* Which call is which letter comes last in the order, and decides most. */
	for (uint32_t i = w->program.variables; i; i--)
		if (w->x[i - 1].under != 1)
			return split_at(w, i - 1);
	bool *island = lp_alloc(sizeof *island * (w->triples + 1));
	const enum lp_finding answer = has_islands(w, island) ? cut_off(w, island) : LP_CORRECT;
	lp_free(island);
	return answer;
}

static enum lp_finding by_program(struct work *w)
{
	enum lp_finding finding = LP_UNDECIDED;

	make_instances(w);
	make_program(w);
	w->x = lp_alloc(sizeof *w->x * (w->program.variables + 1));
	if (w->program.variables <= MOST_VARIABLES)
		finding = search(w);
	lp_free(w->x);
	return finding;
}

enum lp_finding lp_kernel_decide(const struct lp_kernel *g, const struct lp_counts *c,
				 enum lp_kernel_way way)
{
	struct work w = { .g = g, .places = lp_counts_top(c) + 1 };
	enum lp_finding finding = LP_WRONG;

	w.triples = g->names * w.places * w.places;
	w.letters = g->terminals.count * w.places;
	w.available = lp_alloc_zero(w.letters + 1, sizeof *w.available);
	w.good = lp_alloc_zero(w.triples + 1, sizeof *w.good);
	w.reached = lp_alloc_zero(w.triples + 1, sizeof *w.reached);
	if (collect(&w, c)) {
		finding = way == LP_KERNEL_PROGRAM ? LP_UNDECIDED :
						     lp_kernel_hunt(g, &w.supplies, w.places);
		if (finding == LP_UNDECIDED && way != LP_KERNEL_SEARCH)
			finding = by_program(&w);
	}
	lp_linear_close(&w.program);
	lp_free(w.supplies.at);
	lp_free(w.instances.at);
	lp_free(w.available);
	lp_free(w.good);
	lp_free(w.reached);
	return finding;
}
