/* tuples.h -- several values, named by one.
 *
 * Where there is room for one number, results of several values are known by a name: a number
 * that depends on the values alone, so that equal ones have equal names, in every process.  A
 * table keeps what names stand for.
 */
#ifndef LP_BASE_TUPLES_H
#define LP_BASE_TUPLES_H

#include <stdint.h>

#include "base/vec.h"

struct lp_tuple {
	int64_t name;
	uint32_t first, count; /* in `values` */
};

/* Zeroed, it is empty. */
struct lp_tuples {
	struct {
		LP_VEC(struct lp_tuple);
	} all;
	struct {
		LP_VEC(int64_t);
	} values;
};

void lp_tuples_close(struct lp_tuples *);

/* The name, which is not negative, and smaller than 2^62. */
int64_t lp_tuples_name(struct lp_tuples *, const int64_t *values, uint32_t count);

/* What a name stands for, until another one is given; NULL if it is none. */
const int64_t *lp_tuples_values(const struct lp_tuples *, int64_t name, uint32_t *count);

#endif
