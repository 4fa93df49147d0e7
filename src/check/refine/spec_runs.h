/* spec_runs.h -- the executions of a specification that is a program, for one client.
 *
 * A run is an observation (clients.h) whose relations are exact.  It covers another one if
 *
 *     the calls have the same results, and the same ones are stuck;
 *     every client order that goes with the other one goes with it: reaches, happens and clashes are smaller;
 *     it gives no more synchronisation.
 *
 * Whatever the covered run explains, the covering one explains.  Only runs that no other one covers are kept.  What a
 * stuck call would have done after the others is not observed: those bits are cleared first.
 */
#ifndef LP_CHECK_REFINE_SPEC_RUNS_H
#define LP_CHECK_REFINE_SPEC_RUNS_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "check/clients/clients.h"

struct lp_run {
	struct lp_fingerprint results; /* of the calls, arguments, results, stuck calls */
	struct lp_observation o;
	uint32_t reached[LP_OBSERVED_CALLS]; /* o.reaches turned round */
	uint32_t given[LP_OBSERVED_CALLS];   /* the synchronisation that it gives to others */
};

/* Zeroed, there are none. */
struct lp_runs {
	LP_VEC(struct lp_run);
	struct lp_hash_index by_results;
};

void lp_runs_clear(struct lp_runs *);
void lp_runs_close(struct lp_runs *);

/* Runs that come from elsewhere are found from now on. */
void lp_runs_index(struct lp_runs *);

/* The next run with these results, or NULL; `probe` begins as lp_hash_probe(&runs->by_results, results.a). */
const struct lp_run *lp_runs_next(const struct lp_runs *, struct lp_fingerprint results, struct lp_hash_probe *probe);

/* What an observation has in common with all runs that have the same results. */
struct lp_fingerprint lp_runs_results(const struct lp_observation *);

/* Is the observation, exact or not, covered by a run? */
bool lp_runs_cover(const struct lp_runs *, const struct lp_observation *);

/* Adds an exact observation, unless it is covered; those that it covers are removed. */
void lp_runs_add(struct lp_runs *, const struct lp_observation *);
/* The same, with the synchronisation of another observation. */
void lp_runs_add_giving(struct lp_runs *, const struct lp_observation *, const struct lp_observation *giving);

/* The calls that returned, as a set. */
uint32_t lp_runs_returned(const struct lp_observation *);

#endif
