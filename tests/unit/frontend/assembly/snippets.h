/* snippets.h -- pieces of inline assembly that are run as they are, and as lowered.
 *
 * A snippet reads `in`, and writes `out` and `mem`.  Each is compiled twice, with another name for
 * the table of all of them.
 */
#ifndef LP_TESTS_SNIPPETS_H
#define LP_TESTS_SNIPPETS_H

#include <stdint.h>

struct state {
	uint64_t in[4];
	uint64_t out[6];
	_Alignas(16) uint64_t mem[16]; /* in the middle: [8] */
};

struct snippet {
	const char *name;
	void (*run)(struct state *);
};

extern const struct snippet original_snippets[], lowered_snippets[];

#endif
