/* place.h -- finds one linearization of a few calls, if there is any.
 *
 * The search is depth first over the calls whose predecessors are placed, and never visits the same
 * set of placed calls with the same state twice.  Among the calls that can come next it first tries
 * those that a client can order after the fewest of the remaining calls: the fewer pairs of the
 * result a client can contradict, the sooner the search in clients.c ends.
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
	bool only;           /* the last order found is close to a correct run, but not correct */
	bool tired;          /* some search gave up, so an answer may be incomplete */
};

/* Whether a search may go on. */
struct lp_place_patience {
	bool (*go_on)(void *closure); /* asked from time to time; NULL: never asked */
	void *closure;
	uint32_t turns;      /* counts steps, to call `go_on` only from time to time */
	bool stopped;        /* go_on() returned false */
};

/* How the specification keeps its values. */
struct lp_place_cells {
	bool valued;         /* calls insert values, not only keys */
	bool components;     /* there are several cells, selected by the first argument, and one call reads all of them */
	bool overwrites;     /* nothing is ever removed: there is one cell, which is overwritten */
};

/* Which calls of the observation `name` commute (commute.h). */
struct lp_place_commuting {
	bool may, known, any;
	struct lp_fingerprint name;
	uint32_t depends[LP_OBSERVED_CALLS];
};

struct lp_place {
	const struct lp_spec *spec;
	enum lp_sync sync;
	struct lp_holds holds;
	bool owes; /* the object must order something, for `sync` or `holds` */
	const struct lp_tuples *tuples; /* the tuples of the observation */
	struct lp_fingerprint name;     /* a fingerprint of the observation's calls and results */
	struct lp_place_close close;
	struct lp_place_patience patience;
	struct lp_place_cells cells;
	struct lp_state state[LP_OBSERVED_CALLS + 3]; /* one for each depth of the search */
	struct lp_fingerprints failed;
	/* For each call, the calls that take effect together with it in the last linearization, itself
	 * included (lp_kind.settled).  No client can have ordered these. */
	uint32_t together[LP_OBSERVED_CALLS];
	/* The calls of the last linearization that are correct only because others overlap with them
	 * (overlap.h). */
	bool uses_overlap;
	uint32_t explained;
	struct lp_place_commuting commuting;
	struct lp_demands demands;
	bool tries; /* search exhaustively, for the longest attempt, even if there is no linearization */
	/* The longest attempt of the last search. */
	uint32_t best[LP_OBSERVED_CALLS];
	uint32_t best_count;
};

/* Adds b before a, and closes the order: everything before b is before everything after a. */
static inline void lp_add_before(uint32_t *before, uint32_t n, uint32_t b, uint32_t a)
{
	const uint32_t past = before[b] | UINT32_C(1) << b;

	for (uint32_t x = 0; x < n; x++)
		if (x == a || before[x] >> a & 1)
			before[x] |= past;
}

/* Stores the values of a result of the method in `value`, and returns their number. */
uint32_t lp_place_shaped(const struct lp_method *, int64_t result, int64_t *value);

void lp_place_open(struct lp_place *, const struct lp_spec *, enum lp_sync);
void lp_place_close(struct lp_place *);

enum lp_place_found {
	LP_PLACE_NONE,
	LP_PLACE_FOUND,
	LP_PLACE_STOPPED, /* none was found, but the search did not come to its end */
};

/* Finds an order of the calls that returned that respects `before` and that the specification
 * accepts (or that is close to one that it accepts).  If `stuck` is a call, it must wait after
 * these calls, and is put at the end of `order`. */
enum lp_place_found lp_place_all(struct lp_place *, const struct lp_observation *, const uint32_t *before,
				 uint32_t stuck, uint32_t *order);

/* Must the search stop?  To be called at every step. */
static inline bool lp_place_must_stop(struct lp_place *p)
{
	if (!p->patience.stopped && p->patience.go_on && (++p->patience.turns & 1023) == 0)
		p->patience.stopped = !p->patience.go_on(p->patience.closure);
	return p->patience.stopped;
}

/* Runs the call on the state, and returns the specification's answer. */
enum lp_answer lp_place_step(const struct lp_place *, const struct lp_observed *, struct lp_state *,
			     uint32_t choice);

/* According to the specification, do all stuck calls wait in the state at `depth`, so that none of
 * them can return, alone or together? */
bool lp_place_rests(struct lp_place *, const struct lp_observation *, uint32_t depth);

/* A call led from state `now` to state `then`.  Does a call with this result never change the state,
 * and need no synchronisation with other calls? */
bool lp_place_changes_nothing(const struct lp_place *, const struct lp_observed *, const struct lp_state *now,
		   const struct lp_state *then);

/* Suppose that `call` takes effect after the first `placed` calls of `order`.  Some of these calls must happen
 * before `call`.  Do all of them?  If not, `*from` is one that does not. */
bool lp_place_synchronised(const struct lp_place *, const struct lp_observation *,
			   const uint32_t *order, uint32_t placed, uint32_t call, uint32_t *from);

/* Finds two calls of which the first must happen before the second if the calls take effect in this order,
 * but does not. */
void lp_place_missing(const struct lp_place *, const struct lp_observation *,
		      const uint32_t *order, uint32_t *from, uint32_t *to);

/* Did the call return, and insert or remove something? */
bool lp_place_inserts(const struct lp_place *, const struct lp_observed *);
bool lp_place_removes(const struct lp_place *, const struct lp_observed *);

/* Did call `from` pass something on to call `to` in a way that a client can observe: a value that it
 * inserted, or a lock? */
bool lp_place_hands(const struct lp_place *, const struct lp_observation *, uint32_t from, uint32_t to);

#endif
