/* linear.c -- the first phase of the simplex method, in fractions.
 *
 * Each row gets an artificial variable, and the sum of these variables is minimised.  If
 * the usual choice of columns makes no progress for a while, Bland's rule is used, which
 * ensures termination.
 */
#include "check/counting/linear.h"

#include <string.h>

void lp_linear_close(struct lp_linear *l)
{
	lp_free(l->rows.at);
	lp_free(l->entries.at);
	*l = (struct lp_linear){ 0 };
}

void lp_linear_row(struct lp_linear *l, enum lp_comparison relation, int64_t limit)
{
	const struct lp_linear_row row = { l->entries.count, relation, limit };
	LP_PUSH(&l->rows, row);
}

void lp_linear_put(struct lp_linear *l, uint32_t variable, int32_t times)
{
	const struct lp_linear_entry entry = { variable, times };
	LP_PUSH(&l->entries, entry);
}

void lp_linear_keep(struct lp_linear *l, uint32_t rows)
{
	if (rows < l->rows.count) {
		l->entries.count = l->rows.at[rows].first;
		l->rows.count = rows;
	}
}

typedef __int128 wide;

struct tableau {
	uint32_t rows, columns; /* the last column is the right-hand side */
	struct lp_fraction *at; /* the last row is the objective */
	uint32_t *basis;
	bool overflow;
};

static struct lp_fraction *cell(const struct tableau *t, uint32_t row, uint32_t column)
{
	return &t->at[(size_t)row * t->columns + column];
}

static wide gcd(wide a, wide b)
{
	while (b) {
		const wide rest = a % b;
		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

static struct lp_fraction fraction(struct tableau *t, wide over, wide under)
{
	if (over == 0)
		return (struct lp_fraction){ 0, 1 };
	if (under < 0) {
		over = -over;
		under = -under;
	}
	if (under != 1) {
		const wide common = gcd(over, under);
		over /= common;
		under /= common;
	}
	/* Numbers use half of the range only, so that two products can be added. */
	if (over > INT64_MAX / 2 || over < -(INT64_MAX / 2) || under > INT64_MAX / 2) {
		t->overflow = true;
		return (struct lp_fraction){ 0, 1 };
	}
	return (struct lp_fraction){ (int64_t)over, (int64_t)under };
}

/* a - b * c */
static struct lp_fraction minus_product(struct tableau *t, struct lp_fraction a,
					struct lp_fraction b, struct lp_fraction c)
{
	const struct lp_fraction product =
		fraction(t, (wide)b.over * c.over, (wide)b.under * c.under);
	if (a.under == product.under)
		return fraction(t, (wide)a.over - product.over, a.under);
	return fraction(t, (wide)a.over * product.under - (wide)product.over * a.under,
			(wide)a.under * product.under);
}

static void pivot(struct tableau *t, uint32_t row, uint32_t column)
{
	const struct lp_fraction p = *cell(t, row, column);

	for (uint32_t j = 0; j < t->columns; j++) {
		struct lp_fraction *c = cell(t, row, j);
		if (c->over)
			*c = fraction(t, (wide)c->over * p.under, (wide)c->under * p.over);
	}
	for (uint32_t i = 0; i <= t->rows; i++) {
		const struct lp_fraction factor = *cell(t, i, column);
		if (i == row || !factor.over)
			continue;
		for (uint32_t j = 0; j < t->columns; j++)
			if (cell(t, row, j)->over)
				*cell(t, i, j) =
					minus_product(t, *cell(t, i, j), *cell(t, row, j), factor);
	}
	t->basis[row] = column;
}

static bool is_less(struct lp_fraction a, struct lp_fraction b)
{
	return (wide)a.over * b.under < (wide)b.over * a.under;
}

/* Finds a column whose increase lowers the objective; `columns` if there is none. */
static uint32_t entering(const struct tableau *t, uint32_t usable, bool first)
{
	uint32_t best = t->columns;

	for (uint32_t j = 0; j < usable; j++) {
		const struct lp_fraction *c = cell(t, t->rows, j);
		if (c->over < 0 && (best == t->columns || is_less(*c, *cell(t, t->rows, best)))) {
			best = j;
			if (first)
				break;
		}
	}
	return best;
}

static uint32_t leaving(struct tableau *t, uint32_t column)
{
	uint32_t best = t->rows;
	struct lp_fraction least = { 0, 1 };

	for (uint32_t i = 0; i < t->rows; i++) {
		const struct lp_fraction *c = cell(t, i, column), *b = cell(t, i, t->columns - 1);
		if (c->over <= 0)
			continue;
		const struct lp_fraction ratio =
			fraction(t, (wide)b->over * c->under, (wide)b->under * c->over);
		if (best == t->rows || is_less(ratio, least) ||
		    (!is_less(least, ratio) && t->basis[i] < t->basis[best])) {
			best = i;
			least = ratio;
		}
	}
	return best;
}

/* The columns are the variables, one for each inequality, one for each row, and the
 * right-hand side. */
static void fill(struct tableau *t, const struct lp_linear *l, uint32_t inequalities)
{
	uint32_t slack = l->variables;

	for (uint32_t i = 0; i < t->rows * t->columns + t->columns; i++)
		t->at[i] = (struct lp_fraction){ 0, 1 };
	for (uint32_t i = 0; i < l->rows.count; i++) {
		const struct lp_linear_row *row = &l->rows.at[i];
		const uint32_t end = i + 1 < l->rows.count ? row[1].first : l->entries.count;
		const int64_t sign = row->limit < 0 ? -1 : 1; /* makes the right-hand side
							       * non-negative */
		for (uint32_t e = row->first; e < end; e++)
			cell(t, i, l->entries.at[e].variable)->over += sign * l->entries.at[e].times;
		if (row->relation != LP_EQUAL)
			cell(t, i, slack++)->over = row->relation == LP_AT_MOST ? sign : -sign;
		cell(t, i, l->variables + inequalities + i)->over = 1;
		cell(t, i, t->columns - 1)->over = sign * row->limit;
		t->basis[i] = l->variables + inequalities + i;
		for (uint32_t j = 0; j < t->columns; j++)
			if (j < l->variables + inequalities || j == t->columns - 1)
				cell(t, t->rows, j)->over -= cell(t, i, j)->over;
	}
}

enum lp_finding lp_linear_solve(const struct lp_linear *l, struct lp_fraction *x)
{
	struct tableau t = { .rows = l->rows.count };
	uint32_t inequalities = 0, idle = 0;

	for (uint32_t i = 0; i < l->rows.count; i++)
		inequalities += l->rows.at[i].relation != LP_EQUAL;
	const uint32_t usable = l->variables + inequalities;
	t.columns = usable + t.rows + 1;
	t.at = lp_alloc(sizeof *t.at * (size_t)t.columns * (t.rows + 1));
	t.basis = lp_alloc(sizeof *t.basis * (t.rows + 1));
	fill(&t, l, inequalities);
	while (!t.overflow) {
		const struct lp_fraction before = *cell(&t, t.rows, t.columns - 1);
		const uint32_t column = entering(&t, usable, idle > 20);
		if (column == t.columns || !before.over)
			break;
		const uint32_t row = leaving(&t, column);
		if (row == t.rows)
			break; /* cannot happen, because the objective is bounded */
		pivot(&t, row, column);
		const struct lp_fraction *after = cell(&t, t.rows, t.columns - 1);
		idle = is_less(before, *after) ? 0 : idle + 1;
	}
	const bool feasible = !cell(&t, t.rows, t.columns - 1)->over;
	for (uint32_t i = 0; i < l->variables; i++)
		x[i] = (struct lp_fraction){ 0, 1 };
	for (uint32_t i = 0; i < t.rows; i++)
		if (t.basis[i] < l->variables)
			x[t.basis[i]] = *cell(&t, i, t.columns - 1);
	lp_free(t.at);
	lp_free(t.basis);
	return t.overflow ? LP_UNDECIDED : feasible ? LP_CORRECT : LP_WRONG;
}
