/* search.h -- the general checker, which searches for a linearization. */
#ifndef LP_CHECK_HISTORY_SEARCH_H
#define LP_CHECK_HISTORY_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#include "check/history/history_check.h"
#include "check/history/precedence.h"
#include "check/history/problem.h"

struct lp_search_limits {
	double deadline; /* on the clock of lp_search_now(); 0: no limit */
	size_t memory;   /* in bytes; 0: no limit */
	uint64_t steps;  /* 0: no limit */
	bool for_attempt; /* the longest attempt is wanted, so rule N4 (search.c), which ends attempts early, is not applied */
	lp_check_go_on go_on; /* asked from time to time; NULL: not asked */
	void *closure;
};

struct lp_history_search {
	/* The operations in the order of the linearization; if there is none, the longest attempt at one. */
	uint32_t *order;
	uint32_t *choice; /* for each element of `order`: which successor state was chosen (LP_CHOOSES) */
	uint32_t count;
	uint64_t steps;
	const char *limit; /* if undecided: which limit was reached, such as "out of time" */
};

/* Searches for a linearization that respects `order`. */
enum lp_finding lp_search(const struct lp_problem *p, const struct lp_precedence *order,
			  const struct lp_search_limits *limits, struct lp_history_search *found);

/* Does what lp_search() does, for quasi-linearizability.  found->order is the order P of quasi.h or, if there is none, the
 * longest attempt at such an order. */
enum lp_finding lp_quasi_search(const struct lp_problem *p, const struct lp_precedence *order,
				const struct lp_quasi *quasi, const struct lp_search_limits *limits,
				struct lp_history_search *found);
/* A faster variant of lp_quasi_search() for plain queues.  Returns false if it does not apply.  It does not fill in
 * found->order. */
bool lp_quasi_search_queue(const struct lp_problem *p, const struct lp_quasi *quasi,
			   const struct lp_search_limits *limits, struct lp_history_search *found,
			   enum lp_finding *finding);
void lp_search_close(struct lp_history_search *found);

/* Searches call this from time to time.  Returns "out of time" or "interrupted" if the search must end, and NULL
 * otherwise. */
const char *lp_search_late(const struct lp_search_limits *limits, uint64_t steps);

double lp_search_now(void); /* seconds since an arbitrary moment */

#endif
