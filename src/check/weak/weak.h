/* weak.h -- conditions for replicated objects, which need not agree on an order of all calls.
 *
 * A thread is a session.  Of a call we ask what it has seen: a set of updates, which together give its result.
 *
 *     po   the order of the calls of a session
 *     V(c) the updates that call c has seen, c itself not being one of them
 *     <    in which order they are executed; the result of c is then what the specification gives
 *
 * No call sees what depends on it: po and "is seen by" have no cycle together.  A condition says what else
 * is demanded of V, and which calls have to agree on an order:
 *
 *     LP_RYW  V(c) has the session's own updates before c
 *     LP_MR   V(b) is part of V(c) if b is before c in the session
 *     LP_MW   with an update, V(c) has all that its session made before it, and < keeps their order
 *     LP_WFR  with an update, V(c) has all that its session had seen when it was made, and < puts that first
 *
 * All four together: V is closed under causality, and < keeps it.
 *
 * Pending calls and unknown results need no care: an update that no call has seen does not matter, and a call
 * without result asks for nothing.  docs/algorithms/weak.md has the definitions in full and the methods.
 */
#ifndef LP_CHECK_WEAK_WEAK_H
#define LP_CHECK_WEAK_WEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "check/history/history_check.h"
#include "check/history/problem.h"

struct lp_search_limits;

enum lp_guarantee { LP_RYW = 1, LP_MR = 2, LP_MW = 4, LP_WFR = 8, LP_CAUSALITY = 15 };

/* Which calls share an order. */
enum lp_agreement {
	LP_EACH_CALL,    /* each has its own */
	LP_EACH_SESSION, /* the calls of a session have one */
	LP_EACH_LINE,    /* the same, and the calls themselves are part of it: what a session has seen is not put in between later */
	LP_ALL_CALLS,
};

struct lp_weak {
	const char *claim; /* what a history is that has it: "causally consistent" */
	unsigned guarantees;
	enum lp_agreement agreement;
	bool apart;        /* for each session, as if the results of the others were not known */

	/* Eventual: calls that start more than `delay` after the end of the last update have seen all updates that
	 * returned, and share an order. */
	bool settles;
	int64_t delay;
};

/* For messages. */
#define LP_WEAK_NAMES                                                                                            \
	"causal, causal-memory, causal-convergence, pram, session[:ryw,mr,mw,wfr], read-your-writes, "           \
	"monotonic-reads, monotonic-writes, writes-follow-reads, eventual[:TIME]"

/* "causal", "causal-memory", ..., "session:ryw,mr", "eventual:1000"; false if it is none of them, and then
 * the error is only set if it began like one. */
bool lp_weak_parse(struct lp_weak *weak, const char *text, struct lp_error *error);

/* Is the kind one of those that this is for? */
bool lp_weak_fits(const struct lp_problem *p, struct lp_error *error);

/* `why` is set if it is not right. */
enum lp_finding lp_weak_decide(const struct lp_problem *p, const struct lp_weak *weak,
			       const struct lp_search_limits *limits, const char **why, uint64_t *steps);

#endif
