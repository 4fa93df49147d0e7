/* refines.h -- decides whether an observation of an object is also one of its specification, which is a program.
 *
 * The observation is correct iff for every client order h with which the object's execution is possible, some run of the
 * specification (spec_runs.h) for the same client
 *
 *     1  has the same results and the same stuck calls;
 *     2  is possible with h;
 *     3  gives no synchronisation that the object does not give together with h:
 *        every pair of the run's `given` (model/calls.h) is in G ; (h ; G)*, where G is the `given` of the object's
 *        execution.
 *
 * docs/algorithms/programs.md says why that is refinement.
 *
 * The search.  We say that a run goes with h if it meets the three conditions.  Suppose that a run goes with h, but not with
 * a larger order h'.  Condition 3 still holds for h', because a larger order only adds to G ; (h ; G)*.  So condition 2 fails:
 * the run is not possible with h'.  The search therefore computes the pairs of calls that can be part of an order with which
 * the run is not possible.  If there are none, h and all larger orders are correct.  Otherwise, every violating order contains
 * one of these pairs, and the search adds each of them to h in turn.  If no run goes with h, h is a violation.
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
	bool (*go_on)(void *closure); /* asked from time to time whether to continue; NULL: the search always continues */
	void *closure;
	uint32_t turns;             /* counts steps, to call `go_on` only from time to time */
	bool stopped;               /* go_on() returned false */
	struct lp_fingerprints right; /* observations of the client that were found correct */
	struct lp_clients_counts counts;
	/* If the last observation was wrong: the number of runs that have its results, and a run that is as close to the
	 * observation as possible; NULL if the specification has no run at all. */
	uint32_t alike;
	const struct lp_run *closest;
};

/* To be called before the observations of another client: sets the runs of that client. */
void lp_refines_begin(struct lp_refines *, const struct lp_runs *);
void lp_refines_close(struct lp_refines *);

/* Does what lp_clients_judge() does.  The refutation has no longest attempt: why->closest_count is 0. */
enum lp_clients_answer lp_refines_judge(struct lp_refines *, const struct lp_observation *, struct lp_refutation *why)
	__attribute__((warn_unused_result));

#endif
