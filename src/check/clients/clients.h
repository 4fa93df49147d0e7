/* clients.h -- is what was observed right for every client?
 *
 * An observation is an execution as its client sees it: calls, their results, which of
 * them never returned, and how the object ordered them.  A client could have ordered them
 * further: by any order h, of a class that the property names, with which the execution is
 * still possible.  The observation is right iff for every such h some linearization of the
 * calls respects h and the specification accepts it.
 *
 *     linearizable   every strict partial order
 *     sequential     the program orders of threads: disjoint chains, in which the threads that
 *                    the client has already are put one after the other
 *     quiescent      ordered blocks
 *     serializable   none
 *     A_k            interval orders of length at most k: k moments in time, before which some
 *                    calls have ended, and after which some others begin (Bouajjani, Emmi, Enea and
 *                    Hamza, "Tractable Refinement Checking for Concurrent Objects", POPL 2015)
 *
 * Quasi-linearizable is linearizable with more to accept (quasi.h): for every h there is an order
 * of the calls that respects h, and is close to one that the specification accepts.
 *
 * After Golovin, Kokologiannakis and Vafeiadis, "RELINCHE: Automatically Checking
 * Linearizability under Relaxed Memory Consistency" (POPL 2025), whose Algorithms 1 and 2
 * give the same answers.  Here nothing is computed for the specification beforehand: a
 * violating h must contradict every linearization, so one linearization is found, and
 * h is made to contradict it in each possible way, until there is none left to find
 * (a violation) or no way to contradict it.
 *
 * With stuck calls: some linearization of the calls that returned must lead to a state in
 * which, as the specification has it, none of the stuck ones can go on, alone or together.
 * (Burckhardt, Dern, Musuvathi and Tan, "Line-up", PLDI 2010, ask for a linearization for
 * each of them: then a sender and a receiver who miss each other excuse each other.  An object
 * that is right is in one state, in which all of them wait.)
 */
#ifndef LP_CHECK_CLIENTS_CLIENTS_H
#define LP_CHECK_CLIENTS_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

struct lp_error;
struct lp_quasi;
struct lp_spec;
struct lp_tuples;

enum { LP_OBSERVED_CALLS = 32, LP_OBSERVED_ARGS = 3 };

enum lp_order_class {
	LP_ORDERS_ALL, LP_ORDERS_CHAINS, LP_ORDERS_BLOCKS, LP_ORDERS_NONE, LP_ORDERS_INTERVALS
};

/* What must be ordered by the object itself (RELINCHE, section 6): a value read with its
 * insertion; that and all insertions with each other; that and all removals that return
 * something with each other.  A compare-and-swap that succeeds reads and inserts.  Where a value
 * can be in several times, it is not told which of them is read: all of them count.
 *
 * What locks and semaphores must order (holds.h) does not depend on it. */
enum lp_sync { LP_SYNC_NONE, LP_SYNC_R, LP_SYNC_RI, LP_SYNC_RID };

/* Does that mean anything for the specification?  Some hand over no values. */
bool lp_sync_fits(const struct lp_spec *, enum lp_sync, struct lp_error *);

struct lp_observed {
	uint32_t method; /* of the specification */
	uint32_t thread;
	int64_t arg[LP_OBSERVED_ARGS];
	int64_t result;  /* of several values: their name among the tuples */
	bool stuck;      /* it never returned */
};

struct lp_observation {
	uint32_t count;
	struct lp_observed call[LP_OBSERVED_CALLS];
	/* As in model/calls.h: bit b of reaches[a] and happens[a], bit a of clashes[b]. */
	uint32_t reaches[LP_OBSERVED_CALLS];
	uint32_t happens[LP_OBSERVED_CALLS];
	uint32_t clashes[LP_OBSERVED_CALLS];
	/* The order that the client has anyway: bit b of before[a]; closed. */
	uint32_t before[LP_OBSERVED_CALLS];
	const struct lp_tuples *tuples; /* results of several values; NULL: there are none */
	/* Are the relations all there is to say about which h are possible?  If not, this
	 * one decides. */
	bool exact;
	bool (*possible)(void *closure, const uint32_t *before);
	void *closure;
};

struct lp_refutation {
	uint32_t before[LP_OBSERVED_CALLS]; /* h, closed, with the order given */
	uint32_t stuck;                     /* one of those that have no reason to be; or LP_NO_CALL */
	bool order_matters;                 /* h is more than was given */
	uint32_t closest[LP_OBSERVED_CALLS]; /* as far as one gets: calls in order */
	uint32_t closest_count;
	/* If only synchronisation is missing: between these two; `handed_over`: the one returned
	 * what the other one put in, or has the lock that it gave back. */
	bool sync_missing, handed_over;
	uint32_t from, to;
};
#define LP_NO_CALL UINT32_MAX

struct lp_clients;

/* `spec` must outlive it. */
struct lp_clients *lp_clients_open(const struct lp_spec *spec, enum lp_order_class,
				   enum lp_sync, bool cached);
void lp_clients_close(struct lp_clients *);

/* LP_ORDERS_INTERVALS: how long they are at most; 0 at first. */
void lp_clients_length(struct lp_clients *, uint32_t length);

/* Close to a right run will do; to be said before anything is looked at.  For orders of all
 * classes but chains and blocks; not for specifications whose calls meet (lp_kind.settled), nor
 * where synchronisation is owed (--sync, locks). */
void lp_clients_relax(struct lp_clients *, const struct lp_quasi *quasi);

/* The same for a property by name (property.h); `one_client`: which has its order, and no
 * other is asked for.  NULL if there is no such property, or not with these. */
struct lp_clients *lp_clients_named(const struct lp_spec *spec, const char *property, enum lp_sync,
				    bool one_client, bool cached, struct lp_error *);

/* Must what is given back happen before it is taken again (holds.h)? */
bool lp_clients_hold(const struct lp_clients *);

/* The last two are no answers: nothing follows from them about the observation. */
enum lp_clients_answer {
	LP_CLIENTS_RIGHT,
	LP_CLIENTS_WRONG,
	LP_CLIENTS_STOPPED, /* lp_clients_ask() said not to go on */
	LP_CLIENTS_TIRED,   /* quasi-linearizability: this or an earlier one was too much work */
};

/* If it is wrong, the reason is filled in. */
enum lp_clients_answer lp_clients_judge(struct lp_clients *, const struct lp_observation *,
					struct lp_refutation *why) __attribute__((warn_unused_result));

/* Asks now and then, if there are many orders to be tried, whether to go on; NULL: always. */
void lp_clients_ask(struct lp_clients *, bool (*go_on)(void *closure), void *closure);

struct lp_clients_counts {
	uint64_t observations, cached, orders, linearizations;
};
struct lp_clients_counts lp_clients_counts(const struct lp_clients *);

#endif
