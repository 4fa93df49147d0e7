/* random_options.h -- how many random histories, from which seed, and how long: words in front of the kinds. */
#ifndef LP_TEST_RANDOM_OPTIONS_H
#define LP_TEST_RANDOM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct random_options {
	uint32_t runs, calls;
	uint64_t seed;
};

/* Is argv[at] one of them?  The word behind it is its number. */
static inline bool takes_random_option(char **argv, int at, struct random_options *o)
{
	const uint64_t number = strtoull(argv[at + 1], NULL, 10);

	if (!strcmp(argv[at], "--runs"))
		o->runs = (uint32_t)number;
	else if (!strcmp(argv[at], "--calls"))
		o->calls = (uint32_t)number;
	else if (!strcmp(argv[at], "--seed"))
		o->seed = number;
	else
		return false;
	return true;
}

#endif
