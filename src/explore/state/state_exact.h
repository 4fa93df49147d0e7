/* state_exact.h -- states stored in full, for users who do not want to rely on fingerprints.
 *
 * A state without its set is encoded as a string of bytes, which is stored once. (If there is a
 * graph of states, the string also encodes the set.) The position of the string is the name of the
 * state, and is used instead of a fingerprint: different states have different names.
 *
 *     varint length | varint local state, varint bits, of each process
 *                   | varint word, varint value, of each word that differs from its initial value
 *
 * The string has the numbers of local states (program/process.h), not their contents.
 */
#ifndef LP_EXPLORE_STATE_STATE_EXACT_H
#define LP_EXPLORE_STATE_STATE_EXACT_H

#include <stddef.h>

#include "base/hash.h"

struct lp_state_search;
struct lp_snapshot;

struct lp_exact {
	uint8_t *at;         /* all strings, one after the other */
	size_t used, room;
	uint64_t *table;     /* lower 40 bits: 1 + position of a string; upper bits: a part of its hash */
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
