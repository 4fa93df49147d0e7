/* place.h -- finds one linearization of a few calls, if there is any.
 *
 * The search is depth first.  It places the calls of the linearization one after the other, each after
 * its predecessors.  If it reaches a set of placed calls a second time, with the same state, it goes back.
 * Among the calls that can come next, it first tries the call that a client can order after the fewest
 * of the remaining calls.  So a client can contradict few pairs of the linearization, and the search in
 * clients.c ends sooner.
 */
#ifndef LP_CHECK_CLIENTS_PLACE_H
#define LP_CHECK_CLIENTS_PLACE_H

#include "base/fingerprints.h"
#include "check/clients/clients.h"
#include "check/clients/demands.h"
#include "check/clients/holds.h"
#include "spec/spec.h"

struct lp_quasi;

/* For quasi-linearizability (quasi/), which accepts orders that are close to a correct run. */
struct lp_place_close {
	const struct lp_quasi *rule; /* how close is enough; NULL: a run must be correct */
	bool only;           /* the last order found is close to a correct run, but not correct itself */
	bool tired;          /* some search gave up, so it may have missed an order */
};

/* Decides whether a search may continue. */
struct lp_place_patience {
	bool (*go_on)(void *closure); /* asked from time to time; NULL: the search always continues */
	void *closure;
	uint32_t turns;      /* counts steps, to call `go_on` only from time to time */
	bool stopped;        /* go_on() returned false */
};

/* How the specification keeps its values. */
struct lp_place_cells {
	bool valued;         /* calls insert values; false: they only insert keys, as in a set */
	bool components;     /* there are several cells, selected by the first argument, and one call reads all of them */
	bool overwrites;     /* no method removes anything: an insertion overwrites the previous value */
};

/* Which calls of an observation commute (commute.h).  `may` is the answer of lp_commute_may().  `known`: the other members are
 * filled in for the observation with the fingerprint `name`.  `any`: some two calls commute. */
struct lp_place_commuting {
	bool may, known, any;
	struct lp_fingerprint name;
	uint32_t depends[LP_OBSERVED_CALLS]; /* see lp_commute_find() */
};

struct lp_place {
	const struct lp_spec *spec;
	enum lp_sync sync;
	struct lp_holds holds;
	bool owes; /* the object must order some calls, for `sync`, `holds` or lp_kind.orders */
	const struct lp_tuples *tuples; /* the tuples of the observation */
	struct lp_fingerprint name;     /* a fingerprint of the observation's calls and results */
	struct lp_place_close close;
	struct lp_place_patience patience;
	struct lp_place_cells cells;
	struct lp_state state[LP_OBSERVED_CALLS + 3]; /* one for each depth of the search */
	struct lp_fingerprints failed;  /* positions of the current search from which no linearization was found */
	/* For each call, the set of calls that take effect together with it in the last linearization, including
	 * the call itself (lp_kind.settled).  No client can have ordered two calls of this set. */
	uint32_t together[LP_OBSERVED_CALLS];
	bool uses_overlap;  /* the specification looks at overlapping calls (overlap.h) */
	uint32_t explained; /* the calls of the last linearization that are correct only because others overlap with them */
	struct lp_place_commuting commuting;
	struct lp_demands demands;
	bool tries; /* the longest attempt is wanted, so demands.h, which would end a hopeless search early, is not used */
	/* The longest attempt at a linearization in the last search. */
	uint32_t best[LP_OBSERVED_CALLS];
	uint32_t best_count;
};

/* Adds the pair (b, a) to a transitively closed order of n calls, and closes the order again: b and everything before b
 * now come before a and everything after a. */
static inline void lp_add_before(uint32_t *before, uint32_t n, uint32_t b, uint32_t a)
{
	const uint32_t past = before[b] | UINT32_C(1) << b;

	for (uint32_t x = 0; x < n; x++)
		if (x == a || before[x] >> a & 1)
			before[x] |= past;
}

/* Converts the result of an observed call to the form that the specification expects.  Returns the number of values, 0 or 1. */
uint32_t lp_place_shaped(const struct lp_method *, int64_t result, int64_t *value);

void lp_place_open(struct lp_place *, const struct lp_spec *, enum lp_sync);
void lp_place_close(struct lp_place *);

enum lp_place_found {
	LP_PLACE_NONE,
	LP_PLACE_FOUND,
	LP_PLACE_STOPPED, /* none was found, but the search was stopped before its end */
};

/* Finds an order of the calls that returned.  The order respects `before`, and the specification
 * accepts it (for quasi-linearizability: the order is close to one that the specification accepts).
 * If `stuck` is not LP_NO_CALL, all stuck calls must wait in the state after these calls, and `stuck`
 * is put at the end of `order`. */
enum lp_place_found lp_place_all(struct lp_place *, const struct lp_observation *, const uint32_t *before,
				 uint32_t stuck, uint32_t *order);

/* Must the search stop?  To be called at every step. */
static inline bool lp_place_must_stop(struct lp_place *p)
{
	if (!p->patience.stopped && p->patience.go_on && (++p->patience.turns & 1023) == 0)
		p->patience.stopped = !p->patience.go_on(p->patience.closure);
	return p->patience.stopped;
}

/* Runs the call on the state, and returns the specification's answer.  `choice` is the number of the
 * successor state, if the method has several (LP_CHOOSES). */
enum lp_answer lp_place_step(const struct lp_place *, const struct lp_observed *, struct lp_state *,
			     uint32_t choice);

/* Do all stuck calls wait in the state at `depth`?  They do if, according to the specification, none of
 * them can return in this state, alone or together. */
bool lp_place_rests(struct lp_place *, const struct lp_observation *, uint32_t depth);

/* A call led from state `now` to state `then`.  Is it certain that a call with this method and result never
 * changes the state, and that no synchronisation between it and later calls is required? */
bool lp_place_changes_nothing(const struct lp_place *, const struct lp_observed *, const struct lp_state *now,
		   const struct lp_state *then);

/* Suppose that `call` takes effect after the first `placed` calls of `order`.  The synchronisation that is
 * required says which of these calls must happen before `call`.  Do all of them happen before `call`?  If not,
 * `*from` is a call that does not. */
bool lp_place_synchronised(const struct lp_place *, const struct lp_observation *,
			   const uint32_t *order, uint32_t placed, uint32_t call, uint32_t *from);

/* Finds missing synchronisation: if the calls take effect in `order`, call `*from` must happen before call `*to`,
 * but does not. */
void lp_place_missing(const struct lp_place *, const struct lp_observation *,
		      const uint32_t *order, uint32_t *from, uint32_t *to);

/* Did the call return, and insert or remove something? */
bool lp_place_inserts(const struct lp_place *, const struct lp_observed *);
bool lp_place_removes(const struct lp_place *, const struct lp_observed *);

/* Did call `to` return a value that call `from` inserted, or acquire a lock that call `from` released
 * (lp_holds_handed())? */
bool lp_place_hands(const struct lp_place *, const struct lp_observation *, uint32_t from, uint32_t to);

#endif
