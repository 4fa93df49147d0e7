/* spec_lists.h -- sets of states of a specification, as numbers.
 *
 * A set is stored as a list of states in ascending order, and equal lists have the same number.  A new list is made in two
 * steps: lp_lists_add_after() collects states, and lp_lists_take() makes a list of the collected states.
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
	struct { LP_VEC(uint32_t); } lists; /* for each list: the number of states, then the states in ascending
					     * order */
	struct { LP_VEC(uint32_t); } found; /* the collected states */
	struct lp_hash_index by_list;
	struct lp_state scratch;
};

/* Returns the list that contains only the initial state. */
uint32_t lp_lists_open(struct lp_spec_lists *, const struct lp_spec *);
void lp_lists_close(struct lp_spec_lists *);

/* lp_lists_add_after() collects every state to which the call with this result can lead from a state of the list.
 * lp_lists_take() returns the list of the collected states.  lp_lists_after() does both. */
void lp_lists_add_after(struct lp_spec_lists *, uint32_t list, const struct lp_product_call *, int64_t result);
uint32_t lp_lists_take(struct lp_spec_lists *);
uint32_t lp_lists_after(struct lp_spec_lists *, uint32_t list, const struct lp_product_call *, int64_t result);

/* Does the call wait in some state of the list? */
bool lp_lists_block(struct lp_spec_lists *, uint32_t list, const struct lp_product_call *);

static inline uint32_t lp_list_count(const struct lp_spec_lists *p, uint32_t list)
{
	return p->lists.at[list];
}

/* A hash of bytes, for tables of structures that contain lists. */
uint64_t lp_lists_hash(const void *bytes, size_t size);

#endif
