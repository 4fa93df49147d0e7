/* quasi.h -- quasi-linearizability: close to a right run, class by class.
 *
 * Definition 4 of Adhikari, Street, Wang, Liu and Zhang, "Verifying a quantitative
 * relaxation of linearizability via refinement" (STTT 2016), after Afek, Korland and
 * Yanovsky (OPODIS 2010): some order P of the calls respects the order of the history,
 * some order R of the same calls is accepted by the specification, and in each class of
 * calls no call's place in P is further than the class's factor from its place in R.
 * Places are counted within the class.
 *
 *     P   enq(1)  enq(2)  deq->2  deq->1        dequeues: each moves by 1,
 *     R   enq(1)  enq(2)  deq->1  deq->2        enqueues: none moves
 */
#ifndef LP_CHECK_QUASI_H
#define LP_CHECK_QUASI_H

#include "check/search.h"

enum { LP_MAX_CLASSES = 80 };

#define LP_ANY_DISTANCE UINT32_MAX

struct lp_quasi {
	uint32_t count;
	/* Calls change places with calls of the same classes only, and those that fail with
	 * none: what docs/quasi.md calls "in place", and relax.h follows. */
	bool in_place;
	struct {
		uint64_t methods; /* bit m: calls of method m belong to it */
		uint32_t factor;  /* or LP_ANY_DISTANCE */
	} classes[LP_MAX_CLASSES];
};

/* "dequeue=2,enqueue+front=1,*=4": classes of one method, of several, of all; a number
 * or "any".  A method that is in none of them gets a class of its own with factor 0. */
bool lp_quasi_parse(struct lp_quasi *quasi, const char *text, const struct lp_kind *kind,
		    struct lp_error *error);

/* Is there such a pair?  `order` is what P respects.  If there is, `found` has R, else
 * as far as one got with R. */
enum lp_finding lp_search_quasi(const struct lp_problem *p, const struct lp_order *order,
				const struct lp_quasi *quasi, const struct lp_search_limits *limits,
				struct lp_search *found);

/* The same for the order of the history itself (calls that do not overlap), if no two
 * classes have a method in common, and calls need not stay in place: much quicker. */
bool lp_quasi_is_partition(const struct lp_quasi *quasi);
enum lp_finding lp_search_quasi_runs(const struct lp_problem *p, const struct lp_quasi *quasi,
				     const struct lp_search_limits *limits, struct lp_search *found);

#endif
