/* linear.h -- linear constraints over non-negative variables, solved exactly.
 *
 * Rows can be taken back in the order they were added, as a search does.  Numbers are
 * fractions of 64-bit integers; what does not fit is "undecided", never a guess.
 */
#ifndef LP_CHECK_COUNTING_LINEAR_H
#define LP_CHECK_COUNTING_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "check/history/history_check.h"

struct lp_fraction {
	int64_t over, under; /* under > 0, lowest terms */
};

enum lp_comparison { LP_EQUAL, LP_AT_MOST, LP_AT_LEAST };

struct lp_linear_entry {
	uint32_t variable;
	int32_t times;
};

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
void lp_linear_row(struct lp_linear *l, enum lp_comparison relation, int64_t limit);
void lp_linear_put(struct lp_linear *l, uint32_t variable, int32_t times); /* adds an entry to the last row */
void lp_linear_keep(struct lp_linear *l, uint32_t rows); /* takes the others back */

/* LP_CORRECT: `x` (one a variable) satisfies all rows.  LP_WRONG: nothing does. */
enum lp_finding lp_linear_solve(const struct lp_linear *l, struct lp_fraction *x);

#endif
