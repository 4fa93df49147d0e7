/* refines.h -- is an observation of an object one of a specification that is a program?
 *
 * The observation is correct iff for every client order h with which the object's execution is possible, some run of the
 * specification (spec_runs.h) for the same client
 *
 *     has the same results, and the same calls are stuck;
 *     is possible with h;
 *     gives no synchronisation, between the calls as h orders them, that the object does not give:
 *     every pair of its `given` is in G ; (h ; G)*, where G is the `given` of the object's execution.
 *
 * docs/algorithms/programs.md says why that is refinement.
 *
 * The search.  A run that goes with h does not go with a larger h' only if h' is not possible for it: the synchronisation
 * that it gives stays within what the object and h' give.  So for the run, the pairs of calls are computed that can be
 * part of an order with which it is not possible.  If there are none, h and everything above it is correct; else a violating
 * order contains one of these pairs, and each of them is added to h in turn.  When no run goes with h, h is a violation.
 */
#ifndef LP_CHECK_REFINE_REFINES_H
#define LP_CHECK_REFINE_REFINES_H

#include "base/fingerprints.h"
#include "check/clients/clients.h"

struct lp_run;
struct lp_runs;

struct lp_refines {
	const struct lp_runs *runs; /* of the client that is explored */
	bool one_client;            /* no order is added to the client's own */
	bool (*go_on)(void *closure); /* asked from time to time; NULL: never asked */
	void *closure;
	uint32_t turns;
	bool stopped;
	struct lp_fingerprints right; /* observations of the client that are correct */
	struct lp_clients_counts counts;
	/* If the last observation was wrong: how many runs have its results, and one that is as close as any; NULL if the
	 * specification has no run at all. */
	uint32_t alike;
	const struct lp_run *closest;
};

/* Another client comes, with its runs. */
void lp_refines_begin(struct lp_refines *, const struct lp_runs *);
void lp_refines_close(struct lp_refines *);

/* As lp_clients_judge().  The refutation has no linearization: closest_count is 0. */
enum lp_clients_answer lp_refines_judge(struct lp_refines *, const struct lp_observation *, struct lp_refutation *why)
	__attribute__((warn_unused_result));

#endif
