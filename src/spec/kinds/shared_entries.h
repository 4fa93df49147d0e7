/* shared_entries.h -- results that list all entries of a set or map. */
#ifndef LP_SPEC_KINDS_SHARED_ENTRIES_H
#define LP_SPEC_KINDS_SHARED_ENTRIES_H

#include "base/alloc.h"
#include "linchpin/spec.h"

/* Accepts if the results, `width` words each, are the entries of the state in any order.  One may be listed several
 * times.  The state is sorted by the first words of its entries. */
static inline enum lp_answer lp_entries_answer(const struct lp_state *s, const struct lp_spec_call *c, uint32_t width)
{
	enum { FEW = 512 };
	bool few[FEW] = { 0 };
	const uint32_t entries = s->count / width;
	bool *seen = entries <= FEW ? few : lp_alloc_zero(entries, sizeof *seen);
	uint32_t found = 0;
	bool good = c->results >= s->count && c->results % width == 0;

	for (uint32_t i = 0; good && i < c->results; i += width) {
		uint32_t low = 0, high = entries;
		while (low < high) {
			const uint32_t middle = (low + high) / 2;
			if (s->at[middle * width] < c->result[i])
				low = middle + 1;
			else
				high = middle;
		}
		good = low < entries && !memcmp(s->at + low * width, c->result + i, sizeof *s->at * width);
		if (good && !seen[low])
			found += seen[low] = true;
	}
	if (seen != few)
		lp_free(seen);
	return good && found == entries ? LP_ACCEPTS : LP_REJECTS;
}

#endif
