/* covered.h -- counts the wrong histories that A_k covers: figure 6 of POPL 2015 (docs/counting.md).
 *
 * The histories of all sampled executions form a set.  An exact checker says which of them are wrong.  A history h' is
 * weaker than h if it has the same calls and results, but orders only some of the pairs of calls that h orders.  A_k
 * covers a wrong history h if A_k(h') is wrong for some history h' of the set that is weaker than h, or equal to it.
 * For comparison, the figure also shows how many wrong histories a monitor of A_k reports when it observes the
 * executions themselves.
 */
#ifndef LP_CLI_FIGURES_COVERED_H
#define LP_CLI_FIGURES_COVERED_H

#include "cli/figures/sampled_history.h"

enum { LP_COVERED_K = 4 }; /* the largest k */

struct lp_covered {
	uint32_t inserts, removes;
	uint64_t histories, wrong;
	uint64_t covered[LP_COVERED_K + 1], seen[LP_COVERED_K + 1];
};

bool lp_covered(const struct lp_sampling *, struct lp_covered *, struct lp_error *);

#endif
