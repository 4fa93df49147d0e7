/* naive_spec.h -- the naive checker's view of a specification: one way at a time. */
#ifndef LP_TEST_STATES_NAIVE_SPEC_H
#define LP_TEST_STATES_NAIVE_SPEC_H

#include <stdbool.h>
#include <stdint.h>

struct object;
struct naive_spec;

/* All bytes count: they are compared. */
struct naive_way {
	int64_t state[6], result[3];
	uint8_t words, call[3]; /* 1 + the call that the thread is in, or 0 */
	uint8_t done[3], zero;  /* it has taken effect, with that result */
};

struct naive_spec *naive_spec_open(const struct object *);
void naive_spec_close(struct naive_spec *);

void naive_begin(struct naive_spec *, struct naive_way *);
/* The thread's call takes effect, with any result there could be; how many ways. */
uint32_t naive_effects(struct naive_spec *, const struct naive_way *, uint32_t thread,
		       struct naive_way *next);
/* It returns: false if that cannot be. */
bool naive_returned(struct naive_spec *, struct naive_way *, uint32_t thread, int64_t result);

#endif
