/* object_calls.h -- of an object, what its specification needs to know. */
#ifndef LP_TEST_STATES_OBJECT_CALLS_H
#define LP_TEST_STATES_OBJECT_CALLS_H

#include <stdint.h>

struct object;

const char *object_spec(const struct object *);
uint32_t object_method(const struct object *, uint32_t call);
int64_t object_argument(const struct object *, uint32_t call);
/* How many arguments its methods take is the specification's business. */
uint32_t object_call_count(const struct object *);
/* By method of the specification; NULL if none is relaxed. */
const uint32_t *object_factors(const struct object *);

#endif
