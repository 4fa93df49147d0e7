/* tuples.h -- results of several values, as one number.
 *
 * The result of a call has room for one number.  So a tuple of several values is represented by its name: a number that is computed
 * from the values alone.  Equal tuples thus have equal names in every process.  A table maps names back to values.
 */
#ifndef LP_BASE_TUPLES_H
#define LP_BASE_TUPLES_H

#include <stdint.h>

#include "base/vec.h"

struct lp_tuple {
	int64_t name;
	uint32_t first, count; /* in `values` */
};

/* A zeroed table is empty. */
struct lp_tuples {
	struct {
		LP_VEC(struct lp_tuple);
	} all;
	struct {
		LP_VEC(int64_t);
	} values;
};

void lp_tuples_close(struct lp_tuples *);

/* Returns the name of the tuple, a number from 0 to 2^62 - 1, and adds the tuple to the table if it is new. */
int64_t lp_tuples_name(struct lp_tuples *, const int64_t *values, uint32_t count);

/* Returns the values of the tuple with that name, valid until the next tuple is added.  Sets `*count` to the number of values.
 * Returns NULL if there is no such tuple, or if it is empty. */
const int64_t *lp_tuples_values(const struct lp_tuples *, int64_t name, uint32_t *count);

#endif
