/* clients.h -- is an observation correct for every client?
 *
 * An observation is an execution as its client sees it: the calls, their results, which calls
 * never returned, and how the object ordered the calls.  Another client could have added an order h to the
 * calls: for example, it could have made call b only after call a had returned.  The property says which
 * class of orders is considered.  An order h is considered only if the execution is possible with h.
 * If all calls returned, the observation is correct iff for every such h some linearization of the calls
 * respects h, is accepted by the specification, and has the synchronisation that is required (enum
 * lp_sync).  The classes of orders are:
 *
 *     linearizable   every strict partial order
 *     sequential     the program orders of threads: disjoint chains.  A chain consists of all calls of
 *                    one thread of the actual client, then all calls of a second thread, and so on
 *     quiescent      sequences of blocks, where each call of a block precedes each call of the later blocks
 *     serializable   no order
 *     A_k            interval orders of length at most k: an order is given by k moments in time; a call
 *                    that ends before a moment precedes each call that begins after it (Bouajjani, Emmi,
 *                    Enea and Hamza, "Tractable Refinement Checking for Concurrent Objects", POPL 2015)
 *
 * Quasi-linearizability (quasi.h) accepts more than linearizability: for every h there must be an
 * order of the calls that respects h and is close to one that the specification accepts.
 *
 * After Golovin, Kokologiannakis and Vafeiadis, "RELINCHE: Automatically Checking
 * Linearizability under Relaxed Memory Consistency" (POPL 2025), whose Algorithms 1 and 2
 * give the same answers.  Unlike in that paper, nothing is precomputed for the specification.  A violating h
 * contradicts every linearization.  So the search begins with the order of the actual client as h, and
 * finds one linearization that respects h.  Then it extends h in each possible way that contradicts this
 * linearization, and searches again with each extended h.  If it finds no linearization, h is a violation.
 * If no possible extension is left to try, the observation is correct.
 *
 * Stuck calls are calls that never returned.  For them, some linearization of the calls that returned
 * must lead to a state in which, according to the specification, none of the stuck calls can return,
 * alone or together.  (Burckhardt, Dern, Musuvathi and Tan, "Line-up", PLDI 2010, ask for one
 * linearization for each stuck call.  By that definition, a sender and a receiver that are both stuck,
 * although they could meet, are correct.  We ask for a single state in which all stuck calls wait.)
 */
#ifndef LP_CHECK_CLIENTS_CLIENTS_H
#define LP_CHECK_CLIENTS_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

struct lp_error;
struct lp_formulae;
struct lp_kernel;
struct lp_quasi;
struct lp_spec;
struct lp_tuples;

enum { LP_OBSERVED_CALLS = 32, LP_OBSERVED_ARGS = 3 };

enum lp_order_class {
	LP_ORDERS_ALL, LP_ORDERS_CHAINS, LP_ORDERS_BLOCKS, LP_ORDERS_NONE, LP_ORDERS_INTERVALS
};

/* Which calls the object itself must order by happens-before (--sync; RELINCHE, section 6):
 *
 *     R     the insertion of a value must happen before each call that reads or removes the value
 *     RI    in addition, any two insertions must be ordered
 *     RID   in addition, any two removals that return a value must be ordered
 *
 * A successful compare-and-swap both reads and inserts.  If a value was inserted several times before it is read,
 * R applies to each of these insertions.  But if an insertion overwrites the previous value, R does not apply to
 * the insertions before it.
 *
 * The requirements for locks and semaphores (holds.h) apply with each of these, even with LP_SYNC_NONE. */
enum lp_sync { LP_SYNC_NONE, LP_SYNC_R, LP_SYNC_RI, LP_SYNC_RID };

/* Can this synchronisation be required for the specification?  LP_SYNC_NONE always can.  The others cannot if no
 * method inserts, removes or replaces values; then the function sets the error and returns false. */
bool lp_sync_fits(const struct lp_spec *, enum lp_sync, struct lp_error *);

struct lp_observed {
	uint32_t method; /* the index of the method in the specification */
	uint32_t thread;
	int64_t arg[LP_OBSERVED_ARGS];
	int64_t result;  /* if the result has several values: the name of their tuple (base/tuples.h) */
	bool stuck;      /* the call never returned */
};

/* Is a client order possible?  Bit b of before[a] is set if call b comes before call a. */
typedef bool lp_order_decider(void *closure, const uint32_t *before);

struct lp_observation {
	uint32_t count;
	struct lp_observed call[LP_OBSERVED_CALLS];
	/* The relations of model/calls.h: bit b of reaches[a] is set if a reaches b, bit b of happens[a] if a
	 * happens before b, and bit a of clashes[b] if b clashes a. */
	uint32_t reaches[LP_OBSERVED_CALLS];
	uint32_t happens[LP_OBSERVED_CALLS];
	uint32_t clashes[LP_OBSERVED_CALLS];
	uint32_t partial[LP_OBSERVED_CALLS]; /* the pairs of `happens` that only partial locks order: clients cannot rely on them */
	/* The order of the actual client, transitively closed: bit b of before[a] is set if b comes before a. */
	uint32_t before[LP_OBSERVED_CALLS];
	const struct lp_tuples *tuples; /* results of several values; NULL: there are none */
	/* If `exact` is set, the relations decide exactly which h are possible.  Otherwise, possible() decides. */
	bool exact;
	lp_order_decider *possible;
	/* For LP_ORDERS_CHAINS: decides whether h is possible if the calls that h orders are made in the same thread.  NULL: the
	 * decision of the relations or of possible() holds for this case, too. */
	lp_order_decider *possible_in_threads;
	void *closure; /* of possible() and possible_in_threads() */
};

/* Returns the calls that happen after call a, as far as clients can rely on it. */
static inline uint32_t lp_observed_given(const struct lp_observation *o, uint32_t a)
{
	return o->happens[a] & ~o->partial[a];
}

struct lp_refutation {
	uint32_t before[LP_OBSERVED_CALLS]; /* h together with the client's order, transitively closed */
	uint32_t stuck;                     /* a call that is stuck although the specification lets it
					     * return; or LP_NO_CALL */
	bool order_matters;                 /* h adds something to the client's order */
	uint32_t closest[LP_OBSERVED_CALLS]; /* the longest attempt at a linearization: calls in order */
	uint32_t closest_count;
	/* `sync_missing`: there is a linearization, but call `from` should happen before call `to`, and does not.
	 * `handed_over`: `to` returned the value that `from` inserted, or acquired the lock that `from` released. */
	bool sync_missing, handed_over;
	uint32_t from, to;
};
#define LP_NO_CALL UINT32_MAX

struct lp_clients;

/* Opens a checker.  `spec` must outlive it.  With `cached`, the checker remembers observations that are
 * correct. */
struct lp_clients *lp_clients_open(const struct lp_spec *spec, enum lp_order_class,
				   enum lp_sync, bool cached);
void lp_clients_close(struct lp_clients *);

/* For LP_ORDERS_INTERVALS: sets the largest length of the orders, k of A_k; 0 by default. */
void lp_clients_length(struct lp_clients *, uint32_t length);

/* For LP_ORDERS_INTERVALS: from now on, a formula or a grammar decides from numbers of calls whether an order is
 * correct (counted_orders.h); linearizations are not searched for.  Exactly one of the two arguments is NULL. */
void lp_clients_count(struct lp_clients *, const struct lp_formulae *, const struct lp_kernel *);

/* Describes what is wrong with the counts of the last wrong observation; NULL if counts are not checked. */
const char *lp_clients_miscount(const struct lp_clients *);

/* Checks quasi-linearizability from now on.  To be called before the first observation is judged, and only for
 * LP_ORDERS_ALL and LP_ORDERS_NONE.  Not allowed if calls of the specification take effect together
 * (lp_kind.settled), or if synchronisation is required (--sync, locks). */
void lp_clients_relax(struct lp_clients *, const struct lp_quasi *quasi);

/* Like lp_clients_open(), for a property named as in property.h.  With `one_client`, only the client's own
 * order is checked.  Returns NULL if there is no such property, or if it cannot be combined with the other
 * arguments. */
struct lp_clients *lp_clients_named(const struct lp_spec *spec, const char *property, enum lp_sync,
				    bool one_client, bool cached, struct lp_error *);

/* Does the checker require that a release happens before the next acquisition (holds.h)? */
bool lp_clients_hold(const struct lp_clients *);

/* LP_CLIENTS_STOPPED and LP_CLIENTS_TIRED mean that it is not known whether the observation is correct. */
enum lp_clients_answer {
	LP_CLIENTS_RIGHT,
	LP_CLIENTS_WRONG,
	LP_CLIENTS_STOPPED, /* go_on() returned false (lp_clients_ask()) */
	LP_CLIENTS_TIRED,   /* only for quasi-linearizability and grammars: a search gave up, for this or an earlier observation */
};

/* Decides whether the observation is correct.  If it is wrong, fills in `why`. */
enum lp_clients_answer lp_clients_judge(struct lp_clients *, const struct lp_observation *,
					struct lp_refutation *why) __attribute__((warn_unused_result));

/* Sets a function that long searches call from time to time to ask whether they should continue.  NULL:
 * they always continue. */
void lp_clients_ask(struct lp_clients *, bool (*go_on)(void *closure), void *closure);

/* `observations`: how many were judged.  `cached`: for how many of them the answer was remembered.  `orders`: how many
 * client orders were considered.  `linearizations`: how many were searched for or found in a cache. */
struct lp_clients_counts {
	uint64_t observations, cached, orders, linearizations;
};
struct lp_clients_counts lp_clients_counts(const struct lp_clients *);

#endif
