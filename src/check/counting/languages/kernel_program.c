/* kernel_program.c -- the integer program of a grammar and some calls. */
#include "check/counting/languages/kernel_program.h"

static uint32_t triple(const struct lp_kernel_program *w, uint32_t name, uint32_t q, uint32_t r)
{
	return (name * w->places + q) * w->places + r;
}

/* Returns the triple or letter for a symbol that begins at q and ends at r; UINT32_MAX if it cannot do
 * so. */
static uint32_t symbol_over(const struct lp_kernel_program *w, uint32_t symbol, uint32_t q, uint32_t r)
{
	if (symbol >= LP_SYMBOL_NAME) {
		const uint32_t id = triple(w, symbol - LP_SYMBOL_NAME, q, r);
		return w->good[id] ? id : UINT32_MAX;
	}
	const uint32_t letter = symbol * w->places + r;
	return w->available[letter] ? w->triples + letter : UINT32_MAX;
}

void lp_kernel_program_supply(struct lp_kernel_program *w, const struct lp_supply *new)
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

void lp_kernel_program_letters(struct lp_kernel_program *w)
{
	for (uint32_t i = 0; i < w->supplies.count; i++) {
		const struct lp_supply *s = &w->supplies.at[i];
		for (uint32_t t = 0; t < w->g->terminals.count; t++)
			for (uint32_t p = s->from; p <= s->to; p++)
				if (lp_supply_gives(w->g, s, t))
					w->available[t * w->places + p] = true;
	}
}

/* Calls `each` with all instances of all rules over good symbols, until none is new. */
static void each_instance(struct lp_kernel_program *w, void (*each)(struct lp_kernel_program *, const struct lp_rule_instance *))
{
	const uint32_t n = w->places;

	for (uint32_t i = 0; i < w->g->rules.count; i++) {
		const struct lp_rule *rule = &w->g->rules.at[i];
		for (uint32_t q = 0; q < n; q++)
			for (uint32_t r = q; r < (rule->length ? n : q + 1); r++) {
				struct lp_rule_instance in = { triple(w, rule->left, q, r),
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

static void mark_good(struct lp_kernel_program *w, const struct lp_rule_instance *in)
{
	w->good[in->left] = true;
}

static void mark_reached(struct lp_kernel_program *w, const struct lp_rule_instance *in)
{
	for (uint32_t i = 0; i < 2; i++)
		if (w->reached[in->left] && in->right[i] < w->triples)
			w->reached[in->right[i]] = true;
}

static void keep_reached(struct lp_kernel_program *w, const struct lp_rule_instance *in)
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

static void make_instances(struct lp_kernel_program *w)
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

/* The variables are, in this order: a number of uses for each instance; for each place, whether a word
 * ends there; for each supply and each letter that its calls can be, how many calls are that letter. */
static void make_rows(struct lp_kernel_program *w)
{
	struct lp_linear *l = &w->linear;
	const uint32_t ends = w->instances.count, letters = ends + w->places;
	uint32_t next = letters;

	for (uint32_t id = 0; id < w->triples; id++) {
		if (!w->reached[id])
			continue;
		lp_linear_row(l, LP_EQUAL, 0);
		for (uint32_t i = 0; i < w->instances.count; i++) {
			const struct lp_rule_instance *in = &w->instances.at[i];
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

void lp_kernel_program_make(struct lp_kernel_program *w)
{
	make_instances(w);
	make_rows(w);
}

void lp_kernel_program_open(struct lp_kernel_program *w, const struct lp_kernel *g, uint32_t places)
{
	*w = (struct lp_kernel_program){ .g = g, .places = places, .triples = g->names * places * places,
					 .letters = g->terminals.count * places };
	w->available = lp_alloc_zero(w->letters + 1, sizeof *w->available);
	w->good = lp_alloc_zero(w->triples + 1, sizeof *w->good);
	w->reached = lp_alloc_zero(w->triples + 1, sizeof *w->reached);
}

void lp_kernel_program_close(struct lp_kernel_program *w)
{
	lp_linear_close(&w->linear);
	lp_free(w->supplies.at);
	lp_free(w->instances.at);
	lp_free(w->available);
	lp_free(w->good);
	lp_free(w->reached);
}
