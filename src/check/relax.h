/* relax.h -- a specification relaxed by quasi factors, one call at a time.
 *
 * Quasi-linearizability (Afek, Korland and Yanovsky, OPODIS 2010; as in Adhikari, Street, Wang,
 * Liu and Zhang, "Verifying a quantitative relaxation of linearizability via refinement", STTT
 * 2016, Definition 4): some linearization may be turned into a run of the specification
 * by moving calls of a class, none by more than Q places among those of its class.  A class
 * is the calls of one method that succeed; one that finds the object empty or full is in no
 * class.  How boundary cases are decided:
 *   - calls change places within their class only: which class is where stays as it is.
 *     (Otherwise, with Q = 0, a value could be removed before it was inserted.)
 *   - a history may end while calls still have to change places with some that never came, as
 *     long as those could have come in time.  (Otherwise no object that relaxes anything would
 *     be right: its histories are closed under prefixes.)
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

/* Is such a call one of a class that is relaxed? */
bool lp_relax_relaxes(const struct lp_relax *, uint32_t method, int64_t value);

/* The call is made in that relaxed state; it is of a class that is relaxed. */
void lp_relax_step(const struct lp_relax *, const struct lp_state *, const struct lp_relax_event *);

#endif
