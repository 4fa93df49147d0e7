/* naive_excuse.h -- failures that are allowed although the state does not explain them, from the definition in
 * docs/specifications.md ("Failures").  Nothing of src/spec/kinds is used but names.
 */
#ifndef NAIVE_EXCUSE_H
#define NAIVE_EXCUSE_H

#include "spec/spec.h"

struct naive_other {
	uint32_t method;
	int64_t arg;
	bool failed;   /* it reported a failure */
	bool overlaps; /* with the call in question */
	bool earlier;  /* it comes before that in the run */
};

/* Did a call of the method with this result report a failure? */
bool naive_failed(const struct lp_spec *spec, uint32_t method, bool known, int64_t result);

/* The call would not be correct in `state` by itself.  Is it right with the others? */
bool naive_excused(const struct lp_spec *spec, uint32_t method, bool known, int64_t result, const struct lp_state *state,
		   const struct naive_other *others, uint32_t count);

/* The same specification, in which failures need a reason in the state. */
struct lp_spec naive_strict(const struct lp_spec *spec);

/* Must a reader that is stuck wait for a writer that is stuck? */
bool naive_yields(const struct lp_spec *spec, uint32_t method, uint32_t other);

#endif
