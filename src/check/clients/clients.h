/* clients.h -- is an observation right for every client?
 *
 * An observation is an execution as its client sees it: calls, their results, which of
 * them never returned, and how the object ordered them.  Another client could have added an order h to the
 * calls: for example, it could have made call b only after call a had returned.  The property says which
 * class of orders is considered.  Orders of this class with which the execution is impossible do not count.
 * The observation is correct iff for every such h some linearization of the calls respects h and is
 * accepted by the specification.
 *
 *     linearizable   every strict partial order
 *     sequential     the program orders of threads: disjoint chains, each of which consists of the
 *                    calls of one or more threads of the client, thread by thread
 *     quiescent      ordered blocks
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
 * give the same answers.  Here nothing is precomputed for the specification.  A violating h must
 * contradict every linearization.  So the search finds one linearization, and extends h in each
 * possible way that contradicts it.  It ends when no linearization is left, which is a
 * violation, or when a linearization cannot be contradicted.
 *
 * Stuck calls: some linearization of the calls that returned must lead to a state in which,
 * according to the specification, none of the stuck calls can return, alone or together.
 * (Burckhardt, Dern, Musuvathi and Tan, "Line-up", PLDI 2010, ask for one linearization for
 * each stuck call.  Then a sender and a receiver that miss each other justify each other.  We
 * ask for a single state in which all of them wait.)
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

/* Which calls the object itself must order by happens-before (RELINCHE, section 6).  R: the insertion of a
 * value must happen before a call that reads the value.  RI: in addition, any two insertions must be
 * ordered.  RID: in addition, any two removals that return a value must be ordered.  A successful
 * compare-and-swap both reads and inserts.  If a value was inserted several times, all of these insertions
 * count.
 *
 * What locks and semaphores must order (holds.h) is independent of this. */
enum lp_sync { LP_SYNC_NONE, LP_SYNC_R, LP_SYNC_RI, LP_SYNC_RID };

/* Is the requirement meaningful for the specification?  It is not if no call returns a value that another
 * call inserted.  Then the function returns false and sets the error. */
bool lp_sync_fits(const struct lp_spec *, enum lp_sync, struct lp_error *);

struct lp_observed {
	uint32_t method; /* the index of the method in the specification */
	uint32_t thread;
	int64_t arg[LP_OBSERVED_ARGS];
	int64_t result;  /* the name of a tuple, if the result has several values */
	bool stuck;      /* the call never returned */
};

typedef bool lp_order_decider(void *closure, const uint32_t *before);

struct lp_observation {
	uint32_t count;
	struct lp_observed call[LP_OBSERVED_CALLS];
	/* The relations of model/calls.h, as sets: bit b of reaches[a] and of happens[a], and bit a of
	 * clashes[b], stand for the pair (a, b). */
	uint32_t reaches[LP_OBSERVED_CALLS];
	uint32_t happens[LP_OBSERVED_CALLS];
	uint32_t clashes[LP_OBSERVED_CALLS];
	uint32_t partial[LP_OBSERVED_CALLS]; /* the pairs of `happens` that only partial locks order: clients cannot rely on them */
	/* The order of the actual client: bit b of before[a]; transitively closed. */
	uint32_t before[LP_OBSERVED_CALLS];
	const struct lp_tuples *tuples; /* results of several values; NULL: there are none */
	/* Do the relations decide exactly which h are possible?  If not, possible() does. */
	bool exact;
	lp_order_decider *possible;
	/* For chains: is h possible if it is the order of calls in threads?  NULL: this is so if h is possible at all. */
	lp_order_decider *possible_in_threads;
	void *closure;
};

/* Returns the calls that happen after call a, as far as clients can rely on it. */
static inline uint32_t lp_observed_given(const struct lp_observation *o, uint32_t a)
{
	return o->happens[a] & ~o->partial[a];
}

struct lp_refutation {
	uint32_t before[LP_OBSERVED_CALLS]; /* h together with the client's order, closed */
	uint32_t stuck;                     /* a call that is stuck although the specification lets it
					     * return; or LP_NO_CALL */
	bool order_matters;                 /* h adds something to the client's order */
	uint32_t closest[LP_OBSERVED_CALLS]; /* the longest attempt: calls in order */
	uint32_t closest_count;
	/* If only synchronisation is missing, it is between `from` and `to`.  `handed_over`: `to` returned
	 * the value that `from` inserted, or acquired the lock that it released. */
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

/* LP_ORDERS_INTERVALS: the largest length of the orders; 0 by default. */
void lp_clients_length(struct lp_clients *, uint32_t length);

/* For LP_ORDERS_INTERVALS: decides orders by counting calls with a formula or a grammar
 * (counted_orders.h), not by linearizations.  One of the two arguments is NULL. */
void lp_clients_count(struct lp_clients *, const struct lp_formulae *, const struct lp_kernel *);

/* Describes what is wrong with the counts of the last wrong observation; NULL if counts are not checked. */
const char *lp_clients_miscount(const struct lp_clients *);

/* Checks quasi-linearizability from now on.  To be called before the first observation is judged.  This is
 * only for LP_ORDERS_ALL and LP_ORDERS_NONE.  It is not available for specifications whose calls take effect
 * together (lp_kind.settled), nor where synchronisation is required (--sync, locks). */
void lp_clients_relax(struct lp_clients *, const struct lp_quasi *quasi);

/* Like lp_clients_open(), for a property named as in property.h.  With `one_client`, only the client's own
 * order is checked.  Returns NULL if there is no such property, or if it cannot be combined with the other
 * arguments. */
struct lp_clients *lp_clients_named(const struct lp_spec *spec, const char *property, enum lp_sync,
				    bool one_client, bool cached, struct lp_error *);

/* Does the checker require that a release happens before the next acquisition (holds.h)? */
bool lp_clients_hold(const struct lp_clients *);

/* The last two are not answers: they say nothing about the observation. */
enum lp_clients_answer {
	LP_CLIENTS_RIGHT,
	LP_CLIENTS_WRONG,
	LP_CLIENTS_STOPPED, /* go_on() returned false (lp_clients_ask()) */
	LP_CLIENTS_TIRED,   /* quasi-linearizability, grammars: this or an earlier observation took too much work */
};

/* If the observation is wrong, `why` is filled in. */
enum lp_clients_answer lp_clients_judge(struct lp_clients *, const struct lp_observation *,
					struct lp_refutation *why) __attribute__((warn_unused_result));

/* Sets a function that long searches call from time to time to ask whether they should continue.  NULL:
 * they always continue. */
void lp_clients_ask(struct lp_clients *, bool (*go_on)(void *closure), void *closure);

struct lp_clients_counts {
	uint64_t observations, cached, orders, linearizations;
};
struct lp_clients_counts lp_clients_counts(const struct lp_clients *);

#endif
