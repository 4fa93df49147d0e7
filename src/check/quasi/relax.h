/* relax.h -- a specification relaxed by quasi factors, one call at a time.
 *
 * Quasi-linearizability as docs/quasi.md defines it, for whoever asks: the product of `states`,
 * the clients of `check`, the search of `history`.  They grow P, an order of the calls; here is
 * what R, the run that it must be close to, can be meanwhile.  Calls change places with others
 * of their classes, none by more than the factors, and some of those others may be yet to come.
 *
 * A relaxed state is the specification's after R, followed by what is *owed*: calls of P whose
 * place in R is yet to come (LATER), and calls of R that are yet to come in P (SOONER).  Of both
 * there are equally many.  They have an age in each of their classes: the calls of it since.  As
 * the next place is one further than that, a call as old as the factor can wait no longer.
 */
#ifndef LP_CHECK_QUASI_RELAX_H
#define LP_CHECK_QUASI_RELAX_H

#include "check/quasi/quasi.h"
#include "spec/spec.h"

/* A call with its result; unknown if `call.result` is NULL. */
struct lp_relax_event {
	uint32_t number; /* its name; the same for equal ones */
	uint32_t method;
	struct lp_spec_call call;
};

/* From here on, with the method added: a call that nothing is known of but that it is none of
 * those with a number. */
#define LP_RELAX_UNSEEN (UINT32_C(1) << 30)

struct lp_relax {
	const struct lp_spec *spec;
	const struct lp_quasi *rule;
	const struct lp_relax_event *events; /* by number */
	/* The i-th call that may be yet to come; false if there are no more.  Of those that cannot
	 * change places with `e` none need be told. */
	bool (*nth)(void *closure, const struct lp_relax_event *e, uint32_t i,
		    struct lp_relax_event *other);
	/* Told of every state that a call can lead to. */
	void (*then)(void *closure, const struct lp_state *);
	void *closure;

	bool tired;                     /* something was taken for possible, and not followed to its end */
	uint32_t ages;                  /* of one that is owed: classes in which it has an age */
	uint32_t aged[LP_MAX_CLASSES];  /* which these are */
	struct lp_state scratch[4];
};

/* The rest is for the caller to fill in; the rule must outlive it. */
void lp_relax_open(struct lp_relax *, const struct lp_spec *, const struct lp_quasi *);
void lp_relax_close(struct lp_relax *);

/* A state of the specification as a relaxed one that owes nothing; and back again. */
void lp_relax_begin(struct lp_state *);
void lp_relax_inner(const struct lp_state *, struct lp_state *inner);

/* Did it find the object empty, full or otherwise not willing?  Then it is in no class. */
bool lp_relax_fails(const struct lp_relax *, const struct lp_relax_event *);
/* Can such a call change places with others? */
bool lp_relax_moves(const struct lp_relax *, const struct lp_relax_event *);

/* The call is made in that relaxed state. */
void lp_relax_step(struct lp_relax *, const struct lp_state *, const struct lp_relax_event *);

/* The same for one that stays in its place, whatever its class. */
void lp_relax_step_in_place(struct lp_relax *, const struct lp_state *,
			    const struct lp_relax_event *);

/* Can calls follow, one after the other, with which nothing is owed any more?  Exact where
 * at most one call that changes nothing else is needed for each one owed; where that may not be
 * so (specifications of numbers, and the user's own), it is not asked: true. */
bool lp_relax_can_settle(struct lp_relax *, const struct lp_state *);

#endif
