/* points.h -- a specification whose calls take effect where the object says.
 *
 * If calls pass linearization points, what can have happened so far is not a set of ways
 * (product.h) but one: the specification's states after the points so far, and of each process
 * whether its call has passed its point, and with which result.  That is the smaller product of
 * Liu et al., "Verifying Linearizability via Optimized Refinement Checking", TSE 2013, section 3.3.
 *
 * What is right here is linearizable.  What is not may still be (their Theorem 2): a call may
 * have taken effect elsewhere than at the point that was given.
 *
 * A *set* is a number, equal ones are equal.  A call must pass one point, no more, and then
 * return what was said there.
 */
#ifndef LP_CHECK_PRODUCT_POINTS_H
#define LP_CHECK_PRODUCT_POINTS_H

#include "check/product/product.h"

struct lp_points;

#define LP_POINTS_WRONG LP_PRODUCT_WRONG

/* As of products (product.h). */
struct lp_points *lp_points_open(const struct lp_spec *, uint32_t threads,
				 const struct lp_product_call *calls, uint32_t count);
void lp_points_close(struct lp_points *); /* NULL is fine */
bool lp_points_before(struct lp_points *, const struct lp_product_call *, int64_t result);

uint32_t lp_points_begin(struct lp_points *);
uint32_t lp_points_calls(struct lp_points *, uint32_t set, uint32_t thread, uint32_t call);
/* Its call takes effect, with that result. */
uint32_t lp_points_point(struct lp_points *, uint32_t set, uint32_t thread, int64_t result);
uint32_t lp_points_returns(struct lp_points *, uint32_t set, uint32_t thread, int64_t result);

uint32_t lp_points_rename(struct lp_points *, uint32_t set, const uint8_t *to);
uint64_t lp_points_look(struct lp_points *, uint32_t set, uint32_t thread);
bool lp_points_within(struct lp_points *, uint32_t a, uint32_t b);
bool lp_points_may_wait(struct lp_points *, uint32_t set, uint32_t thread);

/* Sets, and states of the specification. */
struct lp_product_counts lp_points_counts(const struct lp_points *);

#endif
