/* random_weak.h -- small random histories of replicated objects, correct ones and slightly wrong ones.
 *
 * Each session has a replica; updates arrive at other replicas late, in different orders, or not at all. In half of the
 * histories one result is then changed.
 */
#ifndef LP_TESTS_RANDOM_WEAK_H
#define LP_TESTS_RANDOM_WEAK_H

#include "../history/random_history.h"

/* At most 16 calls. */
void random_weak(struct lp_history *h, const struct lp_spec *spec, uint32_t calls, struct random_source *r);

#endif
