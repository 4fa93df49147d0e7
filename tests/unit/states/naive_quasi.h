/* naive_quasi.h -- quasi-linearizability in place, so far (docs/quasi.md), from its definition. */
#ifndef LP_TEST_STATES_NAIVE_QUASI_H
#define LP_TEST_STATES_NAIVE_QUASI_H

#include <stdbool.h>
#include <stdint.h>

struct lp_spec;
struct object;

enum { NAIVE_EVENTS = 16 };

struct naive_event {
	uint32_t call;
	int64_t result;
};

/* The calls have taken effect in that order: is it close to a run of the specification, some
 * places of which may be for calls yet to come? */
bool naive_quasi_fits(const struct object *, const struct lp_spec *, const struct naive_event *,
		      uint32_t count);

#endif
