/* relax.h -- a specification relaxed by quasi factors, one call at a time.
 *
 * Quasi-linearizability in place, as docs/quasi.md defines it: calls change places with
 * others of their class, none by more than the factor, and a history may end while some of
 * those others are yet to come.  Whether they can come is not asked: where they cannot, that
 * shows when their place is there, after as many calls of the class as its factor.
 *
 * A relaxed state is the specification's, followed by what is owed: calls that were made and
 * whose place is yet to come, and calls whose place was before them; all with an age,
 * counted in calls of the class since.
 */
#ifndef LP_CHECK_RELAX_H
#define LP_CHECK_RELAX_H

#include <stdbool.h>
#include <stdint.h>

struct lp_spec;
struct lp_state;

/* A call with its result. */
struct lp_relax_event {
	uint32_t number;      /* its name; the same for equal ones */
	uint32_t method;
	const int64_t *arg;
	uint32_t args;
	int64_t value;        /* in the shape of the method */
};

struct lp_relax {
	const struct lp_spec *spec;
	const uint32_t *factor; /* by method of the specification */
	/* Every event of that method that calls were seen to be: the i-th; false if none. */
	bool (*nth)(void *closure, uint32_t method, uint32_t i, struct lp_relax_event *);
	/* Told of every state that the call can lead to. */
	void (*then)(void *closure, const struct lp_state *);
	void *closure;
	struct lp_state *scratch; /* open, as many as LP_RELAX_SCRATCH */
};

enum { LP_RELAX_SCRATCH = 3 };

/* A state of the specification as a relaxed one that owes nothing. */
void lp_relax_begin(struct lp_state *);
bool lp_relax_owes(const struct lp_state *);

/* Is such a call one of a class that is relaxed? */
bool lp_relax_relaxes(const struct lp_relax *, uint32_t method, int64_t value);

/* The call is made in that relaxed state; it is of a class that is relaxed. */
void lp_relax_step(const struct lp_relax *, const struct lp_state *, const struct lp_relax_event *);

#endif
