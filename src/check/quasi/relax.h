/* relax.h -- a specification relaxed by quasi factors, one call at a time.
 *
 * Quasi-linearizability as docs/quasi.md defines it.  The product (`states`), the search for
 * linearizations (`check`) and the search of histories (`history`) build P, an order of the calls, call
 * by call.  This module keeps track of the runs R that P can be close to.  Between P and R, calls
 * change places with other calls of their classes, by no more than the factors.  Some of these other
 * calls may only be made in the future.
 *
 * A relaxed state is the state of the specification after R, followed by the calls that are *owed*:
 * calls of P whose place in R is still to come (LATER), and calls of R that are still to come in P
 * (SOONER).  There are equally many of both.  An owed call has an age in each of its classes: the
 * number of calls of the class since it became owed.  If its counterpart came next, the call would have
 * moved by its age plus one.  So a call whose age equals the factor cannot wait any longer.
 */
#ifndef LP_CHECK_QUASI_RELAX_H
#define LP_CHECK_QUASI_RELAX_H

#include "check/quasi/quasi.h"
#include "spec/spec.h"

/* A call with its result, which is unknown if `call.result` is NULL. */
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
	/* Gives the i-th call that may come in the future; false if there are no more.  Calls that
	 * cannot change places with `e` may be left out. */
	bool (*nth)(void *closure, const struct lp_relax_event *e, uint32_t i,
		    struct lp_relax_event *other);
	/* Called for every state that a call can lead to. */
	void (*then)(void *closure, const struct lp_state *);
	void *closure;

	bool tired;                     /* a computation was cut short, and its answer assumed to be
					 * "possible" */
	uint32_t ages;                  /* the number of classes in which owed calls have an age */
	uint32_t aged[LP_MAX_CLASSES];  /* these classes */
	struct lp_state scratch[4];
};

/* The caller fills in the other fields; the rule must outlive it. */
void lp_relax_open(struct lp_relax *, const struct lp_spec *, const struct lp_quasi *);
void lp_relax_close(struct lp_relax *);

/* lp_relax_begin() turns a state of the specification into a relaxed state in which nothing is owed.
 * lp_relax_inner() extracts the state of the specification from a relaxed state. */
void lp_relax_begin(struct lp_state *);
void lp_relax_inner(const struct lp_state *, struct lp_state *inner);

/* Did the call fail, for example because the object was empty or full?  A failed call is in no
 * class. */
bool lp_relax_fails(const struct lp_relax *, const struct lp_relax_event *);
/* Can the call change places with others? */
bool lp_relax_moves(const struct lp_relax *, const struct lp_relax_event *);

/* P continues with the call: calls `then` for every relaxed state that this can lead to. */
void lp_relax_step(struct lp_relax *, const struct lp_state *, const struct lp_relax_event *);

/* The same for a call that has the same place in P and in R, even if its class has a factor. */
void lp_relax_step_in_place(struct lp_relax *, const struct lp_state *,
			    const struct lp_relax_event *);

/* Is there a sequence of future calls after which nothing is owed?  The answer is exact for
 * specifications in which each owed call needs at most one further call that does not affect other
 * calls.  For specifications of numbers, and for the user's own, it is always true. */
bool lp_relax_can_settle(struct lp_relax *, const struct lp_state *);

#endif
