/* settled.h -- sequential and quiescent consistency of an object that is called forever, judged when no call is open.
 *
 * For linearizability each return is judged when it happens (product.h).  For these two properties that would be wrong: a later
 * call may be ordered before a call that has returned, and so explain the result of that call.  A client may end whenever no call
 * is open (a quiet moment), so the history must be correct at these moments.
 *
 *     sequential   some order of all calls since the beginning explains their results, and keeps the order of each thread
 *     quiescent    some order of the calls explains their results, and keeps the order of calls between which there
 *                  was a quiet moment.  So it is enough to store the calls since the last quiet moment, and the possible
 *                  states of the specification at that moment
 *
 * The memory grows with the number of stored calls.  So a thread may make at most `most` calls in all (sequential), or since the
 * last quiet moment (quiescent).  After these calls it is barred from further ones.  At each quiet moment, the check tries all
 * orders of the stored calls, by dynamic programming over subsets.
 *
 * The stored calls with their results, and the states, are called a *set*, as in product.h.  A set is represented by a number, and
 * equal sets have equal numbers.
 */
#ifndef LP_CHECK_PRODUCT_SETTLED_H
#define LP_CHECK_PRODUCT_SETTLED_H

#include "check/product/product.h"

struct lp_settled;

#define LP_SETTLED_WRONG LP_PRODUCT_WRONG
#define LP_SETTLED_BARRED (UINT32_MAX - 3) /* the thread must not make another call */
enum { LP_SETTLED_CALLS = 12 }; /* the largest number of stored calls, of all threads together */

/* These functions do what the functions with the same names in product.h do. */
struct lp_settled *lp_settled_open(const struct lp_spec *, uint32_t threads, const struct lp_product_call *calls, uint32_t most,
				 bool quiescent);
void lp_settled_close(struct lp_settled *); /* NULL is fine */
bool lp_settled_before(struct lp_settled *, const struct lp_product_call *, int64_t result);

uint32_t lp_settled_begin(struct lp_settled *);
uint32_t lp_settled_calls(struct lp_settled *, uint32_t set, uint32_t thread, uint32_t call);
uint32_t lp_settled_returns(struct lp_settled *, uint32_t set, uint32_t thread, int64_t result);

uint32_t lp_settled_rename(struct lp_settled *, uint32_t set, const uint8_t *to);
uint64_t lp_settled_look(struct lp_settled *, uint32_t set, uint32_t thread);
/* May the open call of the thread wait forever?  True if the specification lets this call wait in some state that was reached so
 * far.  Also true if another thread is barred from further calls, because one of these calls could have ended the wait. */
bool lp_settled_may_wait(struct lp_settled *, uint32_t set, uint32_t thread);

struct lp_product_counts lp_settled_counts(const struct lp_settled *);

#endif
