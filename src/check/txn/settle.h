/* settle.h -- searches for an order of the transactions that explains what was read.
 *
 * The search decides what the edges of the graph leave open: the order of the versions of a register, and the order of
 * transactions that must not overlap under snapshot isolation.  Its answer is exact unless it reaches a limit.
 */
#ifndef LP_CHECK_TXN_SETTLE_H
#define LP_CHECK_TXN_SETTLE_H

#include "check/history/history_check.h"
#include "check/txn/txn_graph.h"

struct lp_txn_facts;

struct lp_txn_limits {
	double until;         /* on the clock of lp_txn_clock(); 0: no limit */
	uint64_t steps;       /* the largest number of steps; 0: no limit */
	lp_check_go_on go_on; /* asked from time to time whether to continue; NULL: not asked */
	void *closure;
};

double lp_txn_clock(void);

/* Searches for an order.  `g` must have no cycle.  If there is no order, `derived` gets edges that follow from those of `g`
 * and close a cycle with them.  `derived` may stay empty, because different orders can fail for different reasons. */
enum lp_finding lp_txn_settle(const struct lp_txn_facts *f, const struct lp_txn_graph *g,
			      const struct lp_txn_limits *limits, struct lp_txn_edges *derived, uint64_t *steps);

#endif
