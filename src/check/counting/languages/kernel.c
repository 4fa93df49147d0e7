/* kernel.c -- decides whether the language has a word with these counts.
 *
 * A letter is a label with a place.  Consider words of letters whose places never decrease, and which are runs
 * when the places are removed.  These words form a context-free language, too.  Its nonterminals are triples
 * (A, q, r), which derive what A derives, beginning at place q and ending at place r.  A place is entered by
 * the letter that is read there.  So there is one derivation for each derivation of the run and each placement
 * of its letters.
 *
 * By Verma, Seidl and Schwentick (CADE 2005), given numbers of uses of the rules are those of some derivation iff
 *
 *   1  each nonterminal is introduced as often as it is replaced (the start symbol counts as introduced once more), and
 *   2  each nonterminal that is replaced can be reached from the start symbol by rules that are used.
 *
 * With the counters of A_k, condition 1 is an integer program of constant size.  Condition 2 is not linear: a
 * solution that violates it is excluded by a new constraint, which says that the nonterminals that the solution
 * does not reach are not used, or are introduced by rules of other nonterminals.
 *
 * The search for a word (kernel_words.c) is tried first; the integer program is for counts that are too
 * large to try all words.
 */
#include "check/counting/languages/kernel.h"

#include <string.h>

#include "check/counting/counts.h"
#include "check/counting/languages/kernel_program.h"

enum { MOST_PROGRAMS = 200, MOST_VARIABLES = 3000 };

struct work {
	struct lp_kernel_program p;
	struct lp_fraction *x;
	uint32_t solved;
};

/* Supplies the calls to the program.  Returns false if the label of a call is in no word. */
static bool collect(struct lp_kernel_program *w, const struct lp_counts *c)
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
			lp_kernel_program_supply(w, &supply);
		}
	}
	lp_kernel_program_letters(w);
	return true;
}

/* Marks the names that are used but cannot be reached by rules that are used. */
static bool has_islands(const struct work *w, bool *island)
{
	bool *reached = lp_alloc_zero(w->p.triples + 1, sizeof *reached);
	bool changed = true, any = false;

	for (uint32_t r = 0; r < w->p.places; r++)
		reached[r] = w->x[w->p.instances.count + r].over > 0;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < w->p.instances.count; i++) {
			const struct lp_rule_instance *in = &w->p.instances.at[i];
			for (uint32_t j = 0; j < 2; j++)
				if (w->x[i].over && reached[in->left] && in->right[j] < w->p.triples &&
				    !reached[in->right[j]])
					changed = reached[in->right[j]] = true;
		}
	}
	memset(island, 0, sizeof *island * w->p.triples);
	for (uint32_t i = 0; i < w->p.instances.count; i++)
		if (w->x[i].over && !reached[w->p.instances.at[i].left])
			any = island[w->p.instances.at[i].left] = true;
	lp_free(reached);
	return any;
}

static enum lp_finding search(struct work *w);

/* Searches on with the last row, and then removes the row. */
static enum lp_finding search_with(struct work *w, uint32_t rows)
{
	const enum lp_finding finding = search(w);

	lp_linear_keep(&w->p.linear, rows);
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
	const uint32_t rows = w->p.linear.rows.count;
	const int64_t below = w->x[variable].over / w->x[variable].under;

	lp_linear_row(&w->p.linear, LP_AT_MOST, below);
	lp_linear_put(&w->p.linear, variable, 1);
	const enum lp_finding first = search_with(w, rows);
	if (first == LP_CORRECT)
		return first;
	lp_linear_row(&w->p.linear, LP_AT_LEAST, below + 1);
	lp_linear_put(&w->p.linear, variable, 1);
	return either(first, search_with(w, rows));
}

static enum lp_finding cut_off(struct work *w, const bool *island)
{
	const uint32_t rows = w->p.linear.rows.count;

	lp_linear_row(&w->p.linear, LP_EQUAL, 0);
	for (uint32_t i = 0; i < w->p.instances.count; i++)
		if (island[w->p.instances.at[i].left])
			lp_linear_put(&w->p.linear, i, 1);
	const enum lp_finding first = search_with(w, rows);
	if (first == LP_CORRECT)
		return first;
	lp_linear_row(&w->p.linear, LP_AT_LEAST, 1);
	for (uint32_t r = 0; r < w->p.places; r++)
		if (island[r])
			lp_linear_put(&w->p.linear, w->p.instances.count + r, 1);
	for (uint32_t i = 0; i < w->p.instances.count; i++) {
		const struct lp_rule_instance *in = &w->p.instances.at[i];
		bool enters = false;
		for (uint32_t j = 0; j < 2; j++)
			enters |= in->right[j] < w->p.triples && island[in->right[j]];
		if (enters && !island[in->left])
			lp_linear_put(&w->p.linear, i, 1);
	}
	return either(first, search_with(w, rows));
}

static enum lp_finding search(struct work *w)
{
	if (w->solved++ >= MOST_PROGRAMS)
		return LP_UNDECIDED;
	const enum lp_finding finding = lp_linear_solve(&w->p.linear, w->x);
	if (finding != LP_CORRECT)
		return finding;
	/* The variables that say which call is which letter come last, and decide most. */
	for (uint32_t i = w->p.linear.variables; i; i--)
		if (w->x[i - 1].under != 1)
			return split_at(w, i - 1);
	bool *island = lp_alloc(sizeof *island * (w->p.triples + 1));
	const enum lp_finding answer = has_islands(w, island) ? cut_off(w, island) : LP_CORRECT;
	lp_free(island);
	return answer;
}

static enum lp_finding by_program(struct work *w)
{
	enum lp_finding finding = LP_UNDECIDED;

	lp_kernel_program_make(&w->p);
	w->x = lp_alloc(sizeof *w->x * (w->p.linear.variables + 1));
	if (w->p.linear.variables <= MOST_VARIABLES)
		finding = search(w);
	lp_free(w->x);
	return finding;
}

enum lp_finding lp_kernel_decide(const struct lp_kernel *g, const struct lp_counts *c,
				 enum lp_kernel_way way)
{
	struct work w = { .solved = 0 };
	enum lp_finding finding = LP_WRONG;

	lp_kernel_program_open(&w.p, g, lp_counts_top(c) + 1);
	if (collect(&w.p, c)) {
		finding = way == LP_KERNEL_PROGRAM ? LP_UNDECIDED :
						     lp_kernel_hunt(g, &w.p.supplies, w.p.places);
		if (finding == LP_UNDECIDED && way != LP_KERNEL_SEARCH)
			finding = by_program(&w);
	}
	lp_kernel_program_close(&w.p);
	return finding;
}
