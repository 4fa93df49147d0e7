/* random_weak.h -- small random histories of replicated objects, near the border of right and wrong.
 *
 * Each session has a replica; updates arrive at others late, in this order or that, or not at all.  Then, half of the
 * time, a result is changed.
 */
#ifndef LP_TESTS_RANDOM_WEAK_H
#define LP_TESTS_RANDOM_WEAK_H

#include "../history/random_history.h"

/* At most 16 calls. */
void random_weak(struct lp_history *h, const struct lp_spec *spec, uint32_t calls, struct random_source *r);

#endif
