/* monitor_cost.h -- measures what monitors cost: figure 7 of POPL 2015 (docs/counting.md).
 *
 * The same executions are run four times: without a monitor; with one that counts (A_k); with one that decides exactly whether
 * the history has a linearization; and with one that enumerates linearizations, as Line-Up does (Burckhardt, Dern,
 * Musuvathi and Tan, PLDI 2010). The last one does not check the linearizations against the specification.
 */
#ifndef LP_CLI_FIGURES_MONITOR_COST_H
#define LP_CLI_FIGURES_MONITOR_COST_H

#include "cli/figures/sampled_history.h"

enum { LP_MOST_LINEARIZATIONS = 1000000 }; /* of one history; enumeration stops there */

struct lp_monitor_cost {
	uint32_t inserts, removes;
	double plain, counted, decided, enumerated; /* seconds */
	uint64_t linearizations;
	uint64_t cut;   /* histories with more than LP_MOST_LINEARIZATIONS */
	uint64_t wrong; /* histories that the exact monitor reports */
	uint64_t seen;  /* histories that the counting monitor reports */
};

bool lp_monitor_cost(const struct lp_sampling *, unsigned k, struct lp_monitor_cost *, struct lp_error *);

#endif
