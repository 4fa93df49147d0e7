/* shift_attempts.h -- finds the answers with which an attempt can only fail (shifts.h, condition 2). */
#ifndef LP_EXPLORE_REDUCE_UNDONE_SHIFT_ATTEMPTS_H
#define LP_EXPLORE_REDUCE_UNDONE_SHIFT_ATTEMPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "program/program.h"

enum {
	LP_SHIFT_VALUES = 512,    /* the most values of a location, with sums of transients added */
	LP_SHIFT_TRANSIENTS = 8,  /* the most transients of one operation */
	LP_SHIFT_DEPTH = 8,       /* the most operations of an attempt */
	LP_SHIFT_STATES = 32,     /* the most live states of all attempts that begin with one
	                           * operation */
};

struct lp_explorer;

/* A set of values. */
struct lp_shift_values {
	struct lp_value at[LP_SHIFT_VALUES];
	uint32_t count;
	bool more; /* there are more values than room */
};

void lp_shift_values_add(struct lp_shift_values *, struct lp_value);
bool lp_shift_values_have(const struct lp_shift_values *, struct lp_value);

/* The sum of two values of that many bytes. */
struct lp_value lp_shift_sum(struct lp_value, struct lp_value, unsigned size);

/* Is the operation an atomic load of a whole location, or a shift of one (shifts.h)?  `*by` becomes the number by which it shifts; 0 for
 * a load. */
bool lp_shift_is_access(const struct lp_op *, struct lp_value *by);

/* The place of a thread of the top frame.  The thread is in live state `live`, and about to perform operation number `op`, after the first
 * `at` operations of the frame's sequence. */
struct lp_shift_place {
	lp_tid thread;
	uint32_t op, live, at;
};

/* The attempts of a thread that begin at a place. */
struct lp_shift_attempts {
	struct lp_explorer *x;
	const struct lp_shift_place *home;
	struct lp_op op;
	bool reached;                          /* the code that the thread reaches in a trial counts as reached, because the
	                                        * attempts are known to fail */
	const struct lp_shift_values *answers; /* the answers that reads may get, to which the sum of the thread's own shifts
	                                        * is added */
	struct lp_value transient[LP_SHIFT_TRANSIENTS];
	uint32_t transients;
	bool too_many;                         /* there are more transients than room */
	struct lp_shift_values waits;          /* the answers with which the thread waits in a loop
	                                        * on the way */
	struct lp_response path[LP_SHIFT_DEPTH];
	struct { uint32_t live; struct lp_value sum; bool open; } state[LP_SHIFT_STATES]; /* the live states that were visited */
	uint32_t states;
};

/* Begins with no answer tried. */
struct lp_shift_attempts lp_shift_attempts_of(struct lp_explorer *, const struct lp_shift_place *, const struct lp_shift_values *answers);

/* With this answer to `op`, can the thread only come back, as the definition of F in shifts.h says?  After the call, lp_catch_up() must bring
 * the machine back. */
bool lp_shift_attempt_fails(struct lp_shift_attempts *, struct lp_value answer);

#endif
