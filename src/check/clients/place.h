/* place.h -- one linearization of few calls, if there is any.
 *
 * Depth first over the calls whose predecessors are done, never twice with the same set
 * of calls done and the same state.  Of the calls that can come next those are tried first
 * that a client could not make wait for others still to come: the fewer pairs of the result a
 * client could contradict, the sooner the search of clients.c is over.
 */
#ifndef LP_CHECK_CLIENTS_PLACE_H
#define LP_CHECK_CLIENTS_PLACE_H

#include "base/fingerprints.h"
#include "check/clients/clients.h"
#include "check/clients/demands.h"
#include "check/clients/holds.h"
#include "spec/spec.h"

struct lp_quasi;

struct lp_place {
	const struct lp_spec *spec;
	enum lp_sync sync;
	struct lp_holds holds;
	bool owes; /* the object has to order something: for either of these */
	const struct lp_tuples *tuples; /* of the observation ... */
	struct lp_fingerprint name;     /* ... and of its calls and results */
	const struct lp_quasi *quasi; /* NULL, or how close to a right run is enough ... */
	bool only_close;              /* ... and the last order found is no closer than that */
	bool tired;      /* quasi: some answer was given without having been worked out */
	bool (*go_on)(void *closure); /* asked now and then; NULL: always */
	void *closure;
	uint32_t turns;  /* since then */
	bool stopped;    /* it said no: the last answer is none */
	bool valued;     /* values are put in, not only keys */
	bool components; /* several places, by first argument, and all of them are read at once */
	bool overwrites; /* nothing is ever removed: there is one place, and it is written over */
	struct lp_state state[LP_OBSERVED_CALLS + 3]; /* by depth */
	struct lp_fingerprints failed;
	/* Of the last linearization: with whom a call takes effect together, itself among
	 * them (lp_kind.settled).  No client can have ordered those. */
	uint32_t together[LP_OBSERVED_CALLS];
	/* Which calls commute (commute.h), where any may: those with this key. */
	bool may_commute, commute_known, commutes;
	struct lp_fingerprint commute_name;
	uint32_t depends[LP_OBSERVED_CALLS];
	struct lp_demands demands;
	bool tries; /* every way, for the longest attempt, also where there is none */
	/* The longest attempt of the last search. */
	uint32_t best[LP_OBSERVED_CALLS];
	uint32_t best_count;
};

/* Adds b before a, and what follows: what is before b is before all that is after a. */
static inline void lp_add_before(uint32_t *before, uint32_t n, uint32_t b, uint32_t a)
{
	const uint32_t past = before[b] | UINT32_C(1) << b;

	for (uint32_t x = 0; x < n; x++)
		if (x == a || before[x] >> a & 1)
			before[x] |= past;
}

/* The result in the shape of its method; how many values it has. */
uint32_t lp_place_shaped(const struct lp_method *, int64_t result, int64_t *value);

void lp_place_open(struct lp_place *, const struct lp_spec *, enum lp_sync);
void lp_place_close(struct lp_place *);

/* The calls that returned, in an order that respects `before`, and that the specification
 * accepts (or that is close to one that it accepts); if `stuck` is a call, it waits then, and
 * stands at the end of `order`. */
bool lp_place_all(struct lp_place *, const struct lp_observation *, const uint32_t *before,
		  uint32_t stuck, uint32_t *order);

/* To be asked at every turn: is it enough? */
static inline bool lp_place_must_stop(struct lp_place *p)
{
	if (!p->stopped && p->go_on && (++p->turns & 1023) == 0)
		p->stopped = !p->go_on(p->closure);
	return p->stopped;
}

/* Runs the call; what the specification says to it. */
enum lp_answer lp_place_step(const struct lp_place *, const struct lp_observed *, struct lp_state *,
			     uint32_t choice);

/* Do all calls that are stuck wait, as the specification has it, in the state kept at `depth`,
 * so that none of them can go on, alone or together? */
bool lp_place_rests(struct lp_place *, const struct lp_observation *, uint32_t depth);

/* Does a call that made this of the state change nothing with its result, and the object owe
 * nothing to others for it? */
bool lp_place_idle(const struct lp_place *, const struct lp_observed *, const struct lp_state *now,
		   const struct lp_state *then);

/* Is everything that must be ordered before `call` by the object, if it comes after the first
 * `placed` of `order`, ordered so?  If not, `*from` is something that is not. */
bool lp_place_synchronised(const struct lp_place *, const struct lp_observation *,
			   const uint32_t *order, uint32_t placed, uint32_t call, uint32_t *from);

/* Two calls that would have to be ordered by the object if the calls came like that. */
void lp_place_missing(const struct lp_place *, const struct lp_observation *,
		      const uint32_t *order, uint32_t *from, uint32_t *to);

/* Did it return, and put something in, or take something out? */
bool lp_place_inserts(const struct lp_place *, const struct lp_observed *);
bool lp_place_removes(const struct lp_place *, const struct lp_observed *);

/* Did the one hand something over to the other, as a client can tell: a value that it put in, or
 * a lock? */
bool lp_place_hands(const struct lp_place *, const struct lp_observation *, uint32_t from, uint32_t to);

#endif
