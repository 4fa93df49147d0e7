/* disorder.h -- random histories in which only the order can be wrong, and often only slightly.
 *
 * A removal only takes values that are present.  Everything else is random: which value a
 * removal gets, when it finds nothing, which calls never return.
 */
#ifndef LP_TESTS_DISORDER_H
#define LP_TESTS_DISORDER_H

#include "../history/random_history.h"

/* For kinds with a method that inserts its argument and one that removes any value. */
void disorder(struct lp_history *h, const struct lp_spec *spec, uint32_t calls,
	      struct random_source *r);

#endif
