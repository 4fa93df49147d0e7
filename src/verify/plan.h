/* plan.h -- the most parallel clients that an object is checked with.
 *
 * A multiset of methods becomes a client in which every call has its own thread, except where
 * the harness says otherwise: the calls of a role (LP_ROLE) share a thread, in every order, and a call
 * that needs another call (LP_AFTER) comes after that call in the same thread.  Then arguments are chosen in all
 * ways that the object can distinguish.  Of several clients that differ only in the names of values of like calls, or in
 * the numbers of threads, only one is visited.
 */
#ifndef LP_VERIFY_PLAN_H
#define LP_VERIFY_PLAN_H

#include "verify/harness.h"

enum { LP_PLAN_CALLS = LP_CLIENT_CALLS - LP_HARNESS_PRE_CALLS }; /* the most calls that threads make in a client */

/* In clients of up to this many calls, no two calls are treated as alike, in case the object looks at arguments that it
 * should only pass on. */
enum { LP_CALLS_WITHOUT_SYMMETRY = 3 };

struct lp_plan_client {
	struct lp_client client;
	uint32_t method[LP_CLIENT_CALLS]; /* for each call, the index of its method in the harness */
	uint32_t pre;                     /* the number of calls before the threads; they come first */
};

struct lp_plan {
	const struct lp_harness *harness;
	uint32_t pre; /* the number of insertions before the threads, besides the harness's own calls there */
	bool shapes;  /* the object depends on the calling thread.  So there are also clients in which calls share threads, in every
		       * way that roles and needs allow.  But a thread that may hold a lock does not acquire it again */
	bool numbered; /* with `shapes`: the object uses the numbers of threads, so it matters which thread makes which
		        * calls */
	/* Called for every client; if it returns false, the enumeration ends. */
	bool (*visit)(void *closure, const struct lp_plan_client *);
	void *closure;
};

/* Are the calls before the threads possible?  Returns false, with the error set, if there are too many, or if the harness has no method
 * that inserts. */
bool lp_plan_has_room(const struct lp_plan *, struct lp_error *);

/* Visits the clients of all multisets of that many calls.  This function and the next two return false if visit() ended
 * the enumeration. */
bool lp_plan_size(const struct lp_plan *, uint32_t calls);

/* Visits the clients of all multisets of up to `calls` calls, smallest first. */
bool lp_plan_sizes(const struct lp_plan *, uint32_t calls);

/* Visits the clients of one multiset; `count` says how many calls there are of each method of the harness. */
bool lp_plan_multiset(const struct lp_plan *, const uint32_t *count);

/* Parses a text such as "enqueue=4,dequeue=3" into `count`, which has a number for each method. */
bool lp_plan_parse(const struct lp_harness *, const char *text, uint32_t *count,
		   struct lp_error *);

/* Visits one client: that with the given calls.  Calls of thread 0 are made before the threads. */
bool lp_plan_one(const struct lp_plan *, const struct lp_harness_calls *);

#endif
