/* plan.h -- the most parallel clients that an object is checked with.
 *
 * A client has one call for each element of a multiset of methods.  The harness can put calls into one thread: the calls of a role
 * (LP_ROLE) share a thread, in every order; and a call that needs another call (LP_AFTER) comes after that call, in its thread.
 * Each of the remaining calls has a thread of its own.  Arguments are chosen in all ways that the object can distinguish
 * (plan_args.h).
 *
 * If two clients differ only in the numbers of threads, or in which of two calls of one method has which arguments, only one of
 * them is visited (unless `numbered` is set).
 */
#ifndef LP_VERIFY_PLAN_H
#define LP_VERIFY_PLAN_H

#include "verify/harness.h"

enum { LP_PLAN_CALLS = LP_CLIENT_CALLS - LP_HARNESS_PRE_CALLS }; /* the most calls that threads make in a client */

/* In clients of up to this many calls, the explorer does not treat calls of one method as interchangeable.  The object may look at
 * arguments that it should only pass on, and small clients reveal that. */
enum { LP_CALLS_WITHOUT_SYMMETRY = 3 };

struct lp_plan_client {
	struct lp_client client;
	uint32_t method[LP_CLIENT_CALLS]; /* for each call, the index of its method in the harness */
	uint32_t pre;                     /* the number of calls before the threads; they come first */
};

struct lp_plan {
	const struct lp_harness *harness;
	uint32_t pre; /* the number of insertions before the threads, in addition to those calls that the harness makes there
		       * (LP_PRE) */
	bool shapes;  /* the object depends on the calling thread.  So there are also clients in which calls share threads, in every
		       * way that LP_ROLE and LP_AFTER allow.  But a thread that may hold a lock does not acquire it again */
	bool numbered; /* with `shapes`: the object uses the numbers of threads, so it matters which thread makes which
		        * calls */
	/* Called for every client; if it returns false, the enumeration ends. */
	bool (*visit)(void *closure, const struct lp_plan_client *);
	void *closure;
};

/* Can the calls before the threads be made?  Returns false, with the error set, if there are too many such calls, or if `pre` is
 * not 0 and the harness has no method that inserts. */
bool lp_plan_has_room(const struct lp_plan *, struct lp_error *);

/* Visits the clients of all multisets of that many calls.  This function, lp_plan_sizes(), lp_plan_multiset() and lp_plan_one()
 * return false if visit() ended the enumeration. */
bool lp_plan_size(const struct lp_plan *, uint32_t calls);

/* Visits the clients of all multisets of up to `calls` calls, smallest first. */
bool lp_plan_sizes(const struct lp_plan *, uint32_t calls);

/* Visits the clients of one multiset; `count` says how many calls there are of each method of the harness. */
bool lp_plan_multiset(const struct lp_plan *, const uint32_t *count);

/* Parses a text such as "enqueue=4,dequeue=3" into `count`, which has a number for each method. */
bool lp_plan_parse(const struct lp_harness *, const char *text, uint32_t *count,
		   struct lp_error *);

/* Visits the client with the given calls.  Calls of thread 0 are made before the threads. */
bool lp_plan_one(const struct lp_plan *, const struct lp_harness_calls *);

#endif
