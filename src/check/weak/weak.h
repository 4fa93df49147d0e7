/* weak.h -- conditions for replicated objects, whose replicas need not agree on one order of all calls.
 *
 * A session is a thread with its calls.  Each call has seen a set of updates, which together explain its result.
 *
 *     po   the order of the calls of a session
 *     V(c) the updates that call c has seen, without c itself
 *     <    an order of V(c): if the updates are executed in this order, the specification gives the result of c
 *
 * No call has seen an update that depends on the call: po and "is seen by" together have no cycle.  A condition says what
 * else is required of V, and which calls must agree on an order <:
 *
 *     LP_RYW  V(c) contains the session's own updates before c
 *     LP_MR   V(b) is a subset of V(c) if b comes before c in the session
 *     LP_MW   if V(c) contains update u of some session, it contains all earlier updates of that session, and < keeps
 *             their order
 *     LP_WFR  if V(c) contains update u of some session, it contains all updates that this session had seen before u,
 *             and < puts these before u
 *
 * All four together mean that V is closed under causality, and that < respects causality.
 *
 * Pending calls and unknown results need no special treatment: a pending update that no call has seen does not matter, and
 * a call with an unknown result requires nothing.  docs/algorithms/weak.md has the full definitions and the methods.
 */
#ifndef LP_CHECK_WEAK_WEAK_H
#define LP_CHECK_WEAK_WEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "check/history/history_check.h"
#include "check/history/problem.h"

struct lp_search_limits;

enum lp_guarantee { LP_RYW = 1, LP_MR = 2, LP_MW = 4, LP_WFR = 8, LP_CAUSALITY = 15 };

/* Which calls share an order <. */
enum lp_agreement {
	LP_EACH_CALL,    /* each call has an order of its own */
	LP_EACH_SESSION, /* the calls of a session share an order */
	LP_EACH_LINE,    /* the calls of a session share an order, which includes the calls themselves: an update that a
			  * call has not seen comes after the call */
	LP_ALL_CALLS,    /* all calls share one order */
};

/* A condition. */
struct lp_weak {
	const char *claim; /* what is claimed of a history that satisfies the condition: "causally consistent" */
	unsigned guarantees; /* a set of enum lp_guarantee */
	enum lp_agreement agreement;
	bool apart;        /* each session is checked separately, as if the results of all other sessions were
			    * unknown */

	/* `settles` is set for eventual consistency: calls that start more than `delay` after the end of the last update
	 * have seen all updates that returned, and share an order. */
	bool settles;
	int64_t delay;
};

/* All names, for messages. */
#define LP_WEAK_NAMES                                                                                            \
	"causal, causal-memory, causal-convergence, pram, session[:ryw,mr,mw,wfr], read-your-writes, "           \
	"monotonic-reads, monotonic-writes, writes-follow-reads, eventual[:TIME]"

/* Parses a condition: "causal", "causal-memory", ..., "session:ryw,mr", "eventual:1000".  Returns false if the text is not
 * the name of a condition.  In this case, the error is set only if the text begins like such a name. */
bool lp_weak_parse(struct lp_weak *weak, const char *text, struct lp_error *error);

/* Can weak conditions be checked for the kind of the problem?  If not, sets the error. */
bool lp_weak_fits(const struct lp_problem *p, struct lp_error *error);

/* Decides whether the history satisfies the condition.  Unless the finding is LP_CORRECT, `*why` becomes the reason. */
enum lp_finding lp_weak_decide(const struct lp_problem *p, const struct lp_weak *weak,
			       const struct lp_search_limits *limits, const char **why, uint64_t *steps);

#endif
