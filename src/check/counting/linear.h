/* linear.h -- linear constraints over non-negative variables, solved exactly.
 *
 * A constraint is called a row.  The rows that were added last can be removed again, as
 * searches need it.  Numbers are fractions of 64-bit integers; if a number does not fit,
 * the answer is LP_UNDECIDED.
 */
#ifndef LP_CHECK_COUNTING_LINEAR_H
#define LP_CHECK_COUNTING_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "check/history/history_check.h"

struct lp_fraction {
	int64_t over, under; /* under > 0; the fraction is in lowest terms */
};

enum lp_comparison { LP_EQUAL, LP_AT_MOST, LP_AT_LEAST };

struct lp_linear_entry {
	uint32_t variable;
	int32_t times; /* the coefficient of the variable */
};

/* The sum of the row's entries, each a variable times its coefficient, is compared with `limit`. */
struct lp_linear_row {
	uint32_t first; /* its first entry; its entries end where those of the next row begin */
	enum lp_comparison relation;
	int64_t limit;
};

struct lp_linear {
	uint32_t variables;
	struct {
		LP_VEC(struct lp_linear_row);
	} rows;
	struct {
		LP_VEC(struct lp_linear_entry);
	} entries;
};

void lp_linear_close(struct lp_linear *l);
/* Adds a row, without entries at first. */
void lp_linear_row(struct lp_linear *l, enum lp_comparison relation, int64_t limit);
void lp_linear_put(struct lp_linear *l, uint32_t variable, int32_t times); /* adds an entry to the last row */
void lp_linear_keep(struct lp_linear *l, uint32_t rows); /* keeps the first `rows` rows,
							  * and removes the others */

/* Solves the constraints.  LP_CORRECT: all rows hold for `x`, which has one number for each
 * variable.  LP_WRONG: there is no solution. */
enum lp_finding lp_linear_solve(const struct lp_linear *l, struct lp_fraction *x);

#endif
