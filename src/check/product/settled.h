/* settled.h -- calls that are judged when none is open: sequential and quiescent consistency.
 *
 * Linearizability is judged return by return (product.h).  These two are not: a call that is made later may be ordered before
 * one that has returned, and so explain it.  A history is final only when a client may end, which is whenever no call is open.
 *
 *     sequential   some order of all calls since the beginning explains their results, and keeps the order of each thread
 *     quiescent    some order of the calls explains their results, and keeps the order of calls between which there
 *                  was a moment without open calls.  So only the calls since the last such moment are kept, and the states of the
 *                  specification in which it may have been then
 *
 * What is kept grows with the number of calls.  So a thread makes at most `most` calls in all (sequential), or since the last
 * moment without open calls (quiescent): further ones are barred.  All orders of what is kept are tried, by subsets.
 *
 * A *set* is a number; equal numbers mean equal calls, results and states.
 */
#ifndef LP_CHECK_PRODUCT_SETTLED_H
#define LP_CHECK_PRODUCT_SETTLED_H

#include "check/product/product.h"

struct lp_settled;

#define LP_SETTLED_WRONG LP_PRODUCT_WRONG
#define LP_SETTLED_BARRED (UINT32_MAX - 3) /* the thread has made its calls */
enum { LP_SETTLED_CALLS = 12 }; /* of all threads together, at most */

/* Like the functions of product.h. */
struct lp_settled *lp_settled_open(const struct lp_spec *, uint32_t threads, const struct lp_product_call *calls, uint32_t most,
				 bool quiescent);
void lp_settled_close(struct lp_settled *); /* NULL is fine */
bool lp_settled_before(struct lp_settled *, const struct lp_product_call *, int64_t result);

uint32_t lp_settled_begin(struct lp_settled *);
uint32_t lp_settled_calls(struct lp_settled *, uint32_t set, uint32_t thread, uint32_t call);
uint32_t lp_settled_returns(struct lp_settled *, uint32_t set, uint32_t thread, int64_t result);

uint32_t lp_settled_rename(struct lp_settled *, uint32_t set, const uint8_t *to);
uint64_t lp_settled_look(struct lp_settled *, uint32_t set, uint32_t thread);
/* May the thread's call wait forever?  Yes if a thread may make no more calls, which could have ended the wait, or if the
 * specification lets such calls wait in some state. */
bool lp_settled_may_wait(struct lp_settled *, uint32_t set, uint32_t thread);

struct lp_product_counts lp_settled_counts(const struct lp_settled *);

#endif
