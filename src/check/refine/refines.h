/* refines.h -- does a specification that is a program have this observation of an object, too?
 *
 * The observation is correct iff for every client order h with which the object's execution is possible, some run of the
 * specification (spec_runs.h) for the same client
 *
 *     1  has the same results and the same stuck calls;
 *     2  is possible with h;
 *     3  gives no synchronisation, between the calls as h orders them, that the object does not give:
 *        every pair of its `given` is in G ; (h ; G)*, where G is the `given` of the object's execution.
 *
 * docs/algorithms/programs.md says why that is refinement.
 *
 * The search.  Say that a run goes with h if it meets the three conditions.  Suppose that a run goes with h, but not with a
 * larger order h'.  Then h' is not possible for the run, because condition 3 still holds: the synchronisation of the
 * run stays within what the object and h' give.  So the search computes the pairs of calls that can be part of an order that
 * is not possible for the run.  If there are none, h and all larger orders are correct.  Otherwise a violating order
 * contains one of these pairs, and the search adds each of them to h in turn.  If no run goes with h, h is a violation.
 */
#ifndef LP_CHECK_REFINE_REFINES_H
#define LP_CHECK_REFINE_REFINES_H

#include "base/fingerprints.h"
#include "check/clients/clients.h"

struct lp_run;
struct lp_runs;

struct lp_refines {
	const struct lp_runs *runs; /* the runs of the current client */
	bool one_client;            /* no order is added to the client's own */
	bool (*go_on)(void *closure); /* asked from time to time; NULL: never asked */
	void *closure;
	uint32_t turns;
	bool stopped;
	struct lp_fingerprints right; /* observations of the client that are correct */
	struct lp_clients_counts counts;
	/* If the last observation was wrong: how many runs have its results, and one of the closest runs; NULL if the
	 * specification has no run at all. */
	uint32_t alike;
	const struct lp_run *closest;
};

/* To be called before the observations of another client: sets the runs of that client. */
void lp_refines_begin(struct lp_refines *, const struct lp_runs *);
void lp_refines_close(struct lp_refines *);

/* Does what lp_clients_judge() does.  The refutation contains no attempt: closest_count is 0. */
enum lp_clients_answer lp_refines_judge(struct lp_refines *, const struct lp_observation *, struct lp_refutation *why)
	__attribute__((warn_unused_result));

#endif
