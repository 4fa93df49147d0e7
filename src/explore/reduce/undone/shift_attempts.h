/* shift_attempts.h -- does a thread that is answered this only come back?  (shifts.h, condition 2) */
#ifndef LP_EXPLORE_REDUCE_UNDONE_SHIFT_ATTEMPTS_H
#define LP_EXPLORE_REDUCE_UNDONE_SHIFT_ATTEMPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "program/program.h"

enum {
	LP_SHIFT_VALUES = 512,    /* of a location, transients included */
	LP_SHIFT_TRANSIENTS = 8,  /* of one operation */
	LP_SHIFT_DEPTH = 8,       /* operations of an attempt */
	LP_SHIFT_STATES = 32,     /* live states of all attempts that begin with one operation */
};

struct lp_explorer;

/* A set of values. */
struct lp_shift_values {
	struct lp_value at[LP_SHIFT_VALUES];
	uint32_t count;
	bool more;
};

void lp_shift_values_add(struct lp_shift_values *, struct lp_value);
bool lp_shift_values_have(const struct lp_shift_values *, struct lp_value);

/* The sum of two values of that many bytes. */
struct lp_value lp_shift_sum(struct lp_value, struct lp_value, unsigned size);

/* Is the operation an atomic load of all of a location, or a shift of it?  By how much, if it is a shift; otherwise 0. */
bool lp_shift_is_access(const struct lp_op *, struct lp_value *by);

/* Where a thread of the top frame is: about to perform an operation in a live state, after that many operations of the frame's sequence. */
struct lp_shift_place {
	lp_tid thread;
	uint32_t op, live, at;
};

/* Attempts of a thread that begin there. */
struct lp_shift_attempts {
	struct lp_explorer *x;
	const struct lp_shift_place *home;
	struct lp_op op;
	bool reached;                          /* what the thread does counts as reached: attempts are known to fail */
	const struct lp_shift_values *answers; /* without what the thread itself has shifted by */
	struct lp_value transient[LP_SHIFT_TRANSIENTS];
	uint32_t transients;
	bool too_many;                         /* transients */
	struct lp_shift_values waits;          /* answers with which it waits in a loop on the way */
	struct lp_response path[LP_SHIFT_DEPTH];
	struct { uint32_t live; struct lp_value sum; bool open; } state[LP_SHIFT_STATES];
	uint32_t states;
};

struct lp_shift_attempts lp_shift_attempts_of(struct lp_explorer *, const struct lp_shift_place *, const struct lp_shift_values *answers);

/* Does the thread only come back if it is answered that?  The machine must then be brought back by lp_catch_up(). */
bool lp_shift_attempt_fails(struct lp_shift_attempts *, struct lp_value answer);

#endif
