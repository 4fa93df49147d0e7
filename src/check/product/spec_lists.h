/* spec_lists.h -- sets of states of a specification, as numbers.
 *
 * A set is a list of states in ascending order, and equal lists have the same number.  New lists are gathered in `found`:
 * lp_lists_add_after() adds to it, and lp_lists_take() makes a list of it.
 */
#ifndef LP_CHECK_PRODUCT_SPEC_LISTS_H
#define LP_CHECK_PRODUCT_SPEC_LISTS_H

#include "base/hash_index.h"
#include "base/vec.h"
#include "check/product/product.h"
#include "check/product/spec_states.h"
#include "spec/spec.h"

struct lp_spec_lists {
	const struct lp_spec *spec;
	struct lp_spec_states states;
	struct { LP_VEC(uint32_t); } lists; /* count, then states, ascending; one behind the other */
	struct { LP_VEC(uint32_t); } found;
	struct lp_hash_index by_list;
	struct lp_state scratch;
};

/* The list of the initial state. */
uint32_t lp_lists_open(struct lp_spec_lists *, const struct lp_spec *);
void lp_lists_close(struct lp_spec_lists *);

/* Every state that the call can lead to from a state of the list, with that result. */
void lp_lists_add_after(struct lp_spec_lists *, uint32_t list, const struct lp_product_call *, int64_t result);
uint32_t lp_lists_take(struct lp_spec_lists *);
uint32_t lp_lists_after(struct lp_spec_lists *, uint32_t list, const struct lp_product_call *, int64_t result);

/* Does the call wait in some state of the list? */
bool lp_lists_block(struct lp_spec_lists *, uint32_t list, const struct lp_product_call *);

static inline uint32_t lp_list_count(const struct lp_spec_lists *p, uint32_t list)
{
	return p->lists.at[list];
}

/* Of bytes, for tables of what is made of lists. */
uint64_t lp_lists_hash(const void *bytes, size_t size);

#endif
