/* shared_entries.h -- for kinds whose state is a sorted list of entries, each of one or two words, and for results that
 * list all entries. */
#ifndef LP_SPEC_KINDS_SHARED_ENTRIES_H
#define LP_SPEC_KINDS_SHARED_ENTRIES_H

#include "base/alloc.h"
#include "linchpin/spec.h"

/* Returns the index of the first word of the entry that begins with `key`.  If there is no such entry, returns the index
 * where it would be inserted.  Entries have `width` words. */
static inline uint32_t lp_entry_place(const struct lp_state *s, uint32_t width, int64_t key)
{
	uint32_t low = 0, high = s->count / width;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (s->at[middle * width] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low * width;
}

/* Is `at` the index of an entry that begins with `key`? */
static inline bool lp_entry_is(const struct lp_state *s, uint32_t at, int64_t key)
{
	return at < s->count && s->at[at] == key;
}

static inline void lp_pair_add(struct lp_state *s, uint32_t at, int64_t key, int64_t value)
{
	lp_state_insert(s, at, value);
	lp_state_insert(s, at, key);
}

static inline void lp_pair_remove(struct lp_state *s, uint32_t at)
{
	lp_state_remove(s, at);
	lp_state_remove(s, at);
}

/* Accepts if the results, read as entries of `width` words, are exactly the entries of the state, in any order.  An entry
 * may be listed several times.  The state must be sorted by the first words of its entries. */
static inline enum lp_answer lp_entries_answer(const struct lp_state *s, const struct lp_spec_call *c, uint32_t width)
{
	enum { FEW = 512 };
	bool few[FEW] = { 0 };
	const uint32_t entries = s->count / width;
	bool *seen = entries <= FEW ? few : lp_alloc_zero(entries, sizeof *seen);
	uint32_t found = 0;
	bool good = c->results >= s->count && c->results % width == 0;

	for (uint32_t i = 0; good && i < c->results; i += width) {
		const uint32_t at = lp_entry_place(s, width, c->result[i]);
		good = at < s->count && !memcmp(s->at + at, c->result + i, sizeof *s->at * width);
		if (good && !seen[at / width])
			found += seen[at / width] = true;
	}
	if (seen != few)
		lp_free(seen);
	return good && found == entries ? LP_ACCEPTS : LP_REJECTS;
}

#endif
