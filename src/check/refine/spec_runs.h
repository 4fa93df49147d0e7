/* spec_runs.h -- the executions of a specification that is a program, for one client.
 *
 * A run is an observation (clients.h) whose relations are exact.  It covers another one if
 *
 *     both have the same results and the same stuck calls;
 *     every client order that is possible for the other run is possible for this run: its reaches, happens and
 *     clashes are subsets;
 *     it gives no more synchronisation than the other run.
 *
 * Then every observation that the covered run explains is also explained by the covering run.  So only runs that no
 * other run covers are kept.  The order of calls after a stuck call is not observed, so these bits are cleared first.
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
	uint32_t given[LP_OBSERVED_CALLS];   /* the synchronisation that the run gives to clients */
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

/* Returns the next run with these results, or NULL.  Initialise `probe` with lp_hash_probe(&runs->by_results,
 * results.a). */
const struct lp_run *lp_runs_next(const struct lp_runs *, struct lp_fingerprint results, struct lp_hash_probe *probe);

/* Computes lp_run.results for an observation. */
struct lp_fingerprint lp_runs_results(const struct lp_observation *);

/* Does some run cover the observation, whose relations may be inexact? */
bool lp_runs_cover(const struct lp_runs *, const struct lp_observation *);

/* Adds an exact observation, unless a run covers it, and removes the runs that it covers. */
void lp_runs_add(struct lp_runs *, const struct lp_observation *);
/* The same, with the synchronisation of another observation. */
void lp_runs_add_giving(struct lp_runs *, const struct lp_observation *, const struct lp_observation *giving);

/* The program may treat like calls differently, although it should not.  Is every run still a run if these two threads, which
 * make one call each, are exchanged: each gets the result and the place of the other, and what one inserted is what the
 * other inserts?  `valued` is the set of calls whose results are values that calls inserted. */
bool lp_runs_exchange(const struct lp_runs *, uint32_t one, uint32_t other, uint32_t valued);

/* The calls that returned, as a set. */
uint32_t lp_runs_returned(const struct lp_observation *);

#endif
