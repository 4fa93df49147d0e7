/* relax.h -- a specification relaxed by quasi factors, one call at a time.
 *
 * Quasi-linearizability as docs/quasi.md defines it.  It is used by the product of `states`, the
 * clients of `check`, and the search of `history`.  These build P, an order of the calls, call by call.
 * This module keeps track of what R, the correct run that P must be close to, can be.  Calls change
 * places with others of their classes, none by more than the factors, and some of those others may
 * be calls in the future.
 *
 * A relaxed state is the state of the specification after R, followed by the calls that are *owed*:
 * calls of P whose place in R is still to come (LATER), and calls of R that are still to come in P
 * (SOONER).  There are equally many of both.  An owed call has an age in each of its classes: the
 * number of calls of the class since.  It would have to move by its age plus one, so a call whose age is
 * the factor cannot wait any longer.
 */
#ifndef LP_CHECK_QUASI_RELAX_H
#define LP_CHECK_QUASI_RELAX_H

#include "check/quasi/quasi.h"
#include "spec/spec.h"

/* A call with its result; unknown if `call.result` is NULL. */
struct lp_relax_event {
	uint32_t number; /* equal calls have equal numbers */
	uint32_t method;
	struct lp_spec_call call;
};

/* LP_RELAX_UNSEEN + m: a call of method m that is not among `events`. */
#define LP_RELAX_UNSEEN (UINT32_C(1) << 30)

struct lp_relax {
	const struct lp_spec *spec;
	const struct lp_quasi *rule;
	const struct lp_relax_event *events; /* by number */
	/* The i-th call that may come in the future; false if there are no more.  Calls that cannot
	 * change places with `e` may be left out. */
	bool (*nth)(void *closure, const struct lp_relax_event *e, uint32_t i,
		    struct lp_relax_event *other);
	/* Called for every state that a call can lead to. */
	void (*then)(void *closure, const struct lp_state *);
	void *closure;

	bool tired;                     /* something was assumed possible without being computed to its end */
	uint32_t ages;                  /* the number of classes in which owed calls have an age */
	uint32_t aged[LP_MAX_CLASSES];  /* these classes */
	struct lp_state scratch[4];
};

/* The caller fills in the other fields; the rule must outlive it. */
void lp_relax_open(struct lp_relax *, const struct lp_spec *, const struct lp_quasi *);
void lp_relax_close(struct lp_relax *);

/* A state of the specification as a relaxed one that owes nothing; and back again. */
void lp_relax_begin(struct lp_state *);
void lp_relax_inner(const struct lp_state *, struct lp_state *inner);

/* Did the call fail, because the object was empty or full, say?  Then it is in no class. */
bool lp_relax_fails(const struct lp_relax *, const struct lp_relax_event *);
/* Can the call change places with others? */
bool lp_relax_moves(const struct lp_relax *, const struct lp_relax_event *);

/* The call is made in that relaxed state. */
void lp_relax_step(struct lp_relax *, const struct lp_state *, const struct lp_relax_event *);

/* The same for a call that keeps its place, whatever its class. */
void lp_relax_step_in_place(struct lp_relax *, const struct lp_state *,
			    const struct lp_relax_event *);

/* Is there a sequence of future calls after which nothing is owed?  The answer is exact for
 * specifications where each owed call needs at most one further call that changes nothing else.  For
 * others (specifications of numbers, and the user's own), it is always true. */
bool lp_relax_can_settle(struct lp_relax *, const struct lp_state *);

#endif
