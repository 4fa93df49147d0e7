/* spec_runs.h -- the executions of a specification that is a program, for one client.
 *
 * A run is an observation (clients.h) whose relations are exact.  Run r covers run s if
 *
 *     r and s have the same results and the same stuck calls;
 *     every client order that is possible for s is possible for r: the relations reaches, happens and clashes of r
 *     are subsets of those of s;
 *     r gives no more synchronisation than s.
 *
 * If r covers s, r explains every observation that s explains.  So only runs that no other run covers are stored.
 *
 * Some bits of the relations only matter for orders in which some call comes after a stuck call.  There are no such client
 * orders, so these bits are cleared before runs are compared.
 */
#ifndef LP_CHECK_REFINE_SPEC_RUNS_H
#define LP_CHECK_REFINE_SPEC_RUNS_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "check/clients/clients.h"

struct lp_run {
	struct lp_fingerprint results; /* a fingerprint of the calls, arguments, results and stuck calls */
	struct lp_observation o;
	uint32_t reached[LP_OBSERVED_CALLS]; /* the inverse of o.reaches */
	uint32_t given[LP_OBSERVED_CALLS];   /* the synchronisation on which clients can rely (lp_observed_given()) */
};

/* A zeroed struct has no runs. */
struct lp_runs {
	LP_VEC(struct lp_run);
	struct lp_hash_index by_results;
};

void lp_runs_clear(struct lp_runs *);
void lp_runs_close(struct lp_runs *);

/* Rebuilds the index.  To be called after the vector was filled directly. */
void lp_runs_index(struct lp_runs *);

/* Returns the next run with these results; NULL if there are no more.  `probe` must be initialised with
 * lp_hash_probe(&runs->by_results, results.a). */
const struct lp_run *lp_runs_next(const struct lp_runs *, struct lp_fingerprint results, struct lp_hash_probe *probe);

/* Computes lp_run.results for an observation. */
struct lp_fingerprint lp_runs_results(const struct lp_observation *);

/* Does some run cover the observation, whose relations may be inexact? */
bool lp_runs_cover(const struct lp_runs *, const struct lp_observation *);

/* Adds an observation whose relations are exact, and removes the runs that it covers.  Does nothing if a run covers the
 * observation. */
void lp_runs_add(struct lp_runs *, const struct lp_observation *);
/* Does what lp_runs_add() does, but the run gets the synchronisation of the observation `giving`. */
void lp_runs_add_giving(struct lp_runs *, const struct lp_observation *, const struct lp_observation *giving);

/* Does the program treat the calls of two threads, which make one call each, alike?  Let the two calls of a run exchange their
 * results, their places in the relations, and the values that they insert.  The answer is true if, for every run, some run
 * covers the result of this exchange.  `valued` is the set of calls whose results are values that calls inserted. */
bool lp_runs_exchange(const struct lp_runs *, uint32_t one, uint32_t other, uint32_t valued);

/* Returns the set of calls that returned. */
uint32_t lp_runs_returned(const struct lp_observation *);

#endif
