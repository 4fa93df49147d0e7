/* naive.h -- an explicit-state checker without any reduction: states are stored whole, every
 * operation, call and return is a step, and what may have taken effect is all written out. */
#ifndef LP_TEST_STATES_NAIVE_H
#define LP_TEST_STATES_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

struct object;

enum naive_verdict { NAIVE_RIGHT, NAIVE_WRONG, NAIVE_TOO_LARGE };

enum naive_verdict naive_check(const struct object *, uint32_t threads, uint32_t most_states);

#endif
