/* relax.h -- a specification relaxed by quasi factors, one call at a time.
 *
 * Quasi-linearizability is defined in quasi.h and docs/quasi.md.  The product (`linchpin states`), the
 * search for linearizations (`check`) and the search of histories (`history`) build the order P, call by
 * call.  This module keeps track of the runs R to which P can be close.  Between P and R, calls change
 * places with other calls of their classes, by no more than the factors.  Some of these other calls may
 * only be made in the future.
 *
 * A call is *owed* if it is in only one of the two orders so far: in P, but not yet in R (LATER), or in
 * R, but not yet in P (SOONER).  There are equally many of both.  A relaxed state is the state of the
 * specification after R, followed by the owed calls.  An owed call has an age in each of its classes, unless
 * the factor of the class is "any".  The age is the number of calls of the class that were added to P since
 * the call became owed.  If the order that does not have the call yet continued with the call, the call would
 * have moved by its age plus one.  So a call whose age equals the factor cannot be owed any longer.
 */
#ifndef LP_CHECK_QUASI_RELAX_H
#define LP_CHECK_QUASI_RELAX_H

#include "check/quasi/quasi.h"
#include "spec/spec.h"

/* A call with its result.  If `call.result` is NULL, the result is unknown. */
struct lp_relax_event {
	uint32_t number; /* equal calls have equal numbers */
	uint32_t method;
	struct lp_spec_call call;
};

/* Is it a value that was passed to the call or given by it, and not a special one or an exception?  A history has texts or
 * exceptions, which have the same numbers. */
static inline bool lp_relax_is_value(const struct lp_spec_call *c, int64_t value)
{
	return value > LP_NIL && (c->texts || !lp_is_thrown(value));
}

/* The number LP_RELAX_UNSEEN + m stands for a call of method m that is not among `events`. */
#define LP_RELAX_UNSEEN (UINT32_C(1) << 30)

struct lp_relax {
	const struct lp_spec *spec;
	const struct lp_quasi *rule;
	const struct lp_relax_event *events; /* by number */
	/* Sets `*other` to the i-th call that may come in the future; returns false if there are at most i
	 * such calls.  Calls that cannot change places with `e` may be left out. */
	bool (*nth)(void *closure, const struct lp_relax_event *e, uint32_t i,
		    struct lp_relax_event *other);
	/* Called for every relaxed state to which a call can lead. */
	void (*then)(void *closure, const struct lp_state *);
	void *closure; /* of `nth` and `then` */

	bool tired;                     /* some call of lp_relax_can_settle() has given up and returned true */
	uint32_t ages;                  /* the number of classes in which owed calls have an age */
	uint32_t aged[LP_MAX_CLASSES];  /* these classes */
	struct lp_state scratch[4];
};

/* The caller fills in `events`, `nth`, `then` and `closure`.  The specification and the rule must outlive the struct. */
void lp_relax_open(struct lp_relax *, const struct lp_spec *, const struct lp_quasi *);
void lp_relax_close(struct lp_relax *);

/* lp_relax_begin() turns a state of the specification into a relaxed state in which nothing is owed.
 * lp_relax_inner() extracts the state of the specification from a relaxed state. */
void lp_relax_begin(struct lp_state *);
void lp_relax_inner(const struct lp_state *, struct lp_state *inner);

/* Did the call fail, for example because the object was empty or full?  A failed call is in no
 * class. */
bool lp_relax_fails(const struct lp_relax *, const struct lp_relax_event *);
/* Can the call change places with others?  False if it fails, or if one of its classes has factor 0. */
bool lp_relax_moves(const struct lp_relax *, const struct lp_relax_event *);

/* P continues with the call.  Calls `then` for every relaxed state to which this can lead. */
void lp_relax_step(struct lp_relax *, const struct lp_state *, const struct lp_relax_event *);

/* Does what lp_relax_step() does, but only for the case that the call has the same place in P and in R. */
void lp_relax_step_in_place(struct lp_relax *, const struct lp_state *,
			    const struct lp_relax_event *);

/* Is there a sequence of future calls after which nothing is owed?  For specifications of numbers, and
 * for the user's own specifications, the answer is always true.  For other specifications, each owed
 * call needs at most one further call that does not affect other calls, and the answer is exact unless
 * `tired` is set. */
bool lp_relax_can_settle(struct lp_relax *, const struct lp_state *);

#endif
