/* fact_bytes.h -- inside facts/: sets of bits as bytes.
 *
 * When several machines exchange facts, a fact that one of them has seen counts as seen by all.  Few bits of these sets are
 * set, so only words that are not 0 are written.
 */
#ifndef LP_EXPLORE_REDUCE_FACTS_FACT_BYTES_H
#define LP_EXPLORE_REDUCE_FACTS_FACT_BYTES_H

#include <stdatomic.h>

#include "ranks/bytes.h"

static inline void lp_fact_words_write(const _Atomic uint64_t *words, uint32_t count, struct lp_bytes *to)
{
	const uint32_t at = to->count;
	uint32_t n = 0;

	lp_bytes_put(to, &n, sizeof n);
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t word = atomic_load(&words[i]);
		if (!word)
			continue;
		lp_bytes_put(to, &i, sizeof i);
		lp_bytes_put(to, &word, sizeof word);
		n++;
	}
	memcpy(to->at + at, &n, sizeof n);
}

/* Fills in all of `words`.  Returns false if the bytes are malformed. */
static inline bool lp_fact_words_read(struct lp_cursor *from, uint64_t *words, uint32_t count)
{
	const uint32_t n = lp_cursor_u32(from);

	memset(words, 0, sizeof *words * count);
	for (uint32_t k = 0; k < n && !from->bad; k++) {
		const uint32_t i = lp_cursor_u32(from);
		const uint64_t word = lp_cursor_u64(from);
		from->bad |= i >= count;
		if (!from->bad)
			words[i] = word;
	}
	return !from->bad;
}

/* Adds the bits of another machine.  A machine *relies* on a bit if it assumes that the fact is never seen.  Returns true if one machine relies on a
 * bit, and only the other machine has seen the fact.  If a machine itself has seen a fact on which it relies, it restarts anyway. */
static inline bool lp_fact_words_unite(_Atomic uint64_t *relied, _Atomic uint64_t *seen, const uint64_t *their_relied,
				       const uint64_t *their_seen, uint32_t count)
{
	bool broken = false;

	for (uint32_t i = 0; i < count; i++) {
		const uint64_t r = atomic_fetch_or(&relied[i], their_relied[i]);
		const uint64_t s = atomic_fetch_or(&seen[i], their_seen[i]);
		broken |= (r & ~s & their_seen[i]) || (their_relied[i] & ~their_seen[i] & s);
	}
	return broken;
}

#endif
