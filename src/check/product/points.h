/* points.h -- the product for objects whose linearization points are given.
 *
 * If the object marks linearization points, the order in which the calls so far have taken effect is
 * known: it is the order of their points.  So a *set* consists only of two parts: the possible states of
 * the specification after the points so far; and, for each process, whether its call has passed its point,
 * and with which result.  (The sets of product.h contain more.)  This is the smaller product of Liu et al., "Verifying Linearizability via
 * Optimized Refinement Checking", TSE 2013, section 3.3.  As in product.h, a set is represented by a
 * number, and equal sets have equal numbers.
 *
 * A call must pass exactly one point, and return the result that was given at the point.
 *
 * An object that passes this check is linearizable.  An object that fails may still be linearizable
 * (Theorem 2 of Liu et al.), because a call may take effect at another point than the marked one.
 */
#ifndef LP_CHECK_PRODUCT_POINTS_H
#define LP_CHECK_PRODUCT_POINTS_H

#include "check/product/product.h"

struct lp_points;

#define LP_POINTS_WRONG LP_PRODUCT_WRONG

/* These functions do what the functions with the same names in product.h do. */
struct lp_points *lp_points_open(const struct lp_spec *, uint32_t threads,
				 const struct lp_product_call *calls, uint32_t count);
void lp_points_close(struct lp_points *); /* NULL is fine */
bool lp_points_before(struct lp_points *, const struct lp_product_call *, int64_t result);

uint32_t lp_points_begin(struct lp_points *);
uint32_t lp_points_calls(struct lp_points *, uint32_t set, uint32_t thread, uint32_t call);
/* The call of the process passes its point: it takes effect with this result. */
uint32_t lp_points_point(struct lp_points *, uint32_t set, uint32_t thread, int64_t result);
uint32_t lp_points_returns(struct lp_points *, uint32_t set, uint32_t thread, int64_t result);

uint32_t lp_points_rename(struct lp_points *, uint32_t set, const uint8_t *to);
uint64_t lp_points_look(struct lp_points *, uint32_t set, uint32_t thread);
bool lp_points_within(struct lp_points *, uint32_t a, uint32_t b);
bool lp_points_may_wait(struct lp_points *, uint32_t set, uint32_t thread);

/* The numbers of sets, and of states of the specification so far. */
struct lp_product_counts lp_points_counts(const struct lp_points *);

#endif
