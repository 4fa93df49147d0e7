/* naive_holds.h -- inside the naive checker of clients: what locks have to order.
 *
 * Calls are told apart by the functions of their methods, not by their roles; and whether all calls
 * can have a permit is decided for each set of calls that took one.
 */
#ifndef LP_TESTS_NAIVE_HOLDS_H
#define LP_TESTS_NAIVE_HOLDS_H

#include "naive_orders.h"

/* Is it a lock, a semaphore, a lock of readers and writers? */
bool naive_holds_any(const struct naive_question *);

/* What comes to be owed by `call`, after those: with readers, to all of them; else one of
 * several may hand over its permit. */
void naive_holds_next(const struct naive_question *, const uint32_t *calls, uint32_t count,
		      uint32_t call, rel *owed, rel *handed);

/* Can every call that took a permit have one? */
bool naive_holds_enough(const struct naive_question *, const uint32_t *calls, uint32_t count);

#endif
