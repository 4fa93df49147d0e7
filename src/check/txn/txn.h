/* txn.h -- decides whether the transactions of a history satisfy an isolation level.
 *
 * The entry point is lp_txn_check().  It looks for anomalies that do not depend on an order (facts.h), then for cycles of
 * dependencies (txn_graph.h), then, if these do not decide the question, for an order of the transactions that explains
 * what was read (settle.h).
 *
 * The answers LP_CORRECT and LP_WRONG are exact.  The answer is LP_UNDECIDED if a limit is reached.  Where a read may have
 * read any of several equal writes, the number of ways that are tried is limited, too (repeated.h).
 */
#ifndef LP_CHECK_TXN_TXN_H
#define LP_CHECK_TXN_TXN_H

#include "check/history/history_check.h"
#include "check/txn/level.h"
#include "check/txn/txn_graph.h"

struct lp_history;

struct lp_txn_options {
	const struct lp_txn_level *level;
	int64_t initial;      /* the initial value of registers; usually LP_NIL */
	bool explain;         /* find a short cycle, and name it */
	double seconds;       /* the limit on the time of searches; 0: a minute.  The rest of the check has no limit */
	lp_check_go_on go_on; /* asked from time to time whether to continue; NULL: not asked */
	void *closure;
};

struct lp_txn_result {
	enum lp_finding finding;
	char method[64];    /* how the answer was found */
	char anomaly[64];   /* the name of the anomaly, such as "G-single-realtime"; "" if the history is not wrong */
	char reason[256];   /* why it is wrong or undecided; "" if it is correct */
	uint64_t steps;     /* the steps of the search */

	/* For a violation: the transactions involved, in the order of the cycle if there is one. */
	uint32_t *core;
	uint32_t core_count;
	struct lp_txn_edges cycle; /* edge i leads from core[i] to the next transaction of the cycle */
	bool is_shortest; /* no cycle has fewer transactions */
};

/* Checks the history.  Returns false if it cannot be interpreted, for example because a key is both a list and a register;
 * then `error` says why, and in which line. */
bool lp_txn_check(const struct lp_history *h, const struct lp_txn_options *options, struct lp_txn_result *result,
		  struct lp_error *error);
void lp_txn_result_close(struct lp_txn_result *result);

/* Writes what an edge of a cycle means: "r x [1 2] did not see append x 3". */
const char *lp_txn_edge_describe(const struct lp_history *h, const struct lp_txn_edge *e, char *text, size_t size);

#endif
