/* vec.h -- growable arrays.
 *
 *     struct { LP_VEC(int); } numbers = { 0 };
 *     LP_PUSH(&numbers, 7);
 *     numbers.at[0]; numbers.count;
 *     lp_free(numbers.at);
 */
#ifndef LP_BASE_VEC_H
#define LP_BASE_VEC_H

#include "base/alloc.h"

#include <stdint.h>

#define LP_VEC(type)    \
	type *at;       \
	uint32_t count; \
	uint32_t room

/* Makes room for `more` further elements. */
#define LP_RESERVE(vec, more)                                                      \
	do {                                                                       \
		if ((vec)->count + (uint32_t)(more) > (vec)->room) {               \
			(vec)->room = ((vec)->count + (uint32_t)(more)) * 2 + 6;   \
			(vec)->at = lp_realloc((vec)->at,                          \
					       sizeof *(vec)->at * (vec)->room);   \
		}                                                                  \
	} while (0)

#define LP_PUSH(vec, ...)                                  \
	do {                                               \
		LP_RESERVE(vec, 1);                        \
		(vec)->at[(vec)->count++] = (__VA_ARGS__); \
	} while (0)

#define LP_LAST(vec) ((vec)->at[(vec)->count - 1])

#endif
