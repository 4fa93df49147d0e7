/* state_exact.h -- states stored whole, for those who do not trust fingerprints.
 *
 * A state (all but its set, or with a graph of states its set, too) becomes a string of
 * bytes, which is stored once; where it lies is its name, and takes the place of the
 * fingerprint: different states have different names.
 *
 *     varint length | varint local state, varint bits, of each process
 *                   | varint word, varint value, of each word that is not as at first
 *
 * What a local state is the processes know (program/process.h); this is about states.
 */
#ifndef LP_EXPLORE_STATE_STATE_EXACT_H
#define LP_EXPLORE_STATE_STATE_EXACT_H

#include <stddef.h>

#include "base/hash.h"

struct lp_state_search;
struct lp_snapshot;

struct lp_exact {
	uint8_t *at;         /* all strings, one behind the other */
	size_t used, room;
	uint64_t *table;     /* 1 + where a string lies, in the lower 40 bits; some of its hash */
	uint64_t table_room, count;
};

void lp_exact_close(struct lp_exact *);
void lp_exact_clear(struct lp_exact *);
static inline uint64_t lp_exact_bytes(const struct lp_exact *x)
{
	return x->used + sizeof *x->table * x->table_room;
}

struct lp_fingerprint lp_exact_name(struct lp_exact *, const struct lp_state_search *,
				    const struct lp_snapshot *);

#endif
