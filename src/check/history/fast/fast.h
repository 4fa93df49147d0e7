/* fast.h -- exact checkers for kinds whose violations are known patterns.
 *
 * Each checker decides linearizability of a whole problem, or says that it does not apply.  The
 * checkers of registers and containers need distinct values: each value is inserted or written
 * once.  (Programs that record a history can choose their values accordingly.)  Except for deques,
 * containers must also be unbounded and non-blocking.  The checker of sets needs a problem with a
 * single key.  Pending operations, removals that found nothing, and values that are never removed
 * are allowed.
 */
#ifndef LP_CHECK_HISTORY_FAST_FAST_H
#define LP_CHECK_HISTORY_FAST_FAST_H

#include <stdbool.h>

#include "base/vec.h"
#include "check/history/history_check.h"
#include "check/history/problem.h"

/* A violation: operations that are wrong by themselves, and the reason. */
struct lp_witness {
	LP_VEC(uint32_t);
	const char *why;
};

/* Returns false if the method does not apply, or if the answer is no longer wanted.  If it returns
 * true and the finding is LP_WRONG, the witness is filled in. */
typedef bool (*lp_fast_checker)(const struct lp_problem *p, enum lp_finding *finding,
				struct lp_witness *witness);

bool lp_fast_queue(const struct lp_problem *, enum lp_finding *, struct lp_witness *);
bool lp_fast_pool(const struct lp_problem *, enum lp_finding *, struct lp_witness *);
bool lp_fast_stack(const struct lp_problem *, enum lp_finding *, struct lp_witness *);
bool lp_fast_deque(const struct lp_problem *, enum lp_finding *, struct lp_witness *);
bool lp_fast_priority(const struct lp_problem *, enum lp_finding *, struct lp_witness *);
bool lp_fast_register(const struct lp_problem *, enum lp_finding *, struct lp_witness *);
bool lp_fast_set(const struct lp_problem *, enum lp_finding *, struct lp_witness *);

struct lp_fast {
	const char *name;
	lp_fast_checker check;
};

/* Finds the fast checker for a problem from the traits of its kind and the methods that occur.
 * Returns NULL if there is none. */
const struct lp_fast *lp_fast_for(const struct lp_problem *p);

#endif
