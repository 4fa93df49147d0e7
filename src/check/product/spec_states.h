/* spec_states.h -- states of a specification, as numbers: equal states have equal numbers.
 *
 * A zeroed table is empty.  The numbers are 0, 1, 2, ... and do not change.  Pointers to states are valid until the next state
 * is added. */
#ifndef LP_CHECK_PRODUCT_SPEC_STATES_H
#define LP_CHECK_PRODUCT_SPEC_STATES_H

#include "base/hash_index.h"
#include "base/vec.h"
#include "spec/spec.h"

struct lp_spec_states {
	LP_VEC(struct lp_state);
	struct { LP_VEC(uint64_t); } hashes; /* for each state, a hash of its words */
	struct lp_hash_index by_hash;
};

/* Returns the number of the state; if the state is new, adds a copy of it. */
uint32_t lp_spec_states_number(struct lp_spec_states *, const struct lp_state *);
void lp_spec_states_close(struct lp_spec_states *);

#endif
