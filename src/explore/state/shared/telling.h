/* telling.h -- sends local states, sets and states to other peers.
 *
 * Local states and sets have different numbers in different peers, except for those that were met before the search was divided.  A peer that
 * sends a number to another peer for the first time also sends its origin: the step that led to the local state or set, and the local state or
 * set from which this step was taken.  The receiver takes the same step of the process, or of the monitor, and so learns its own number for the
 * same local state or set.
 */
#ifndef LP_EXPLORE_STATE_SHARED_TELLING_H
#define LP_EXPLORE_STATE_SHARED_TELLING_H

#include "explore/state/shared/named_sets.h"
#include "explore/state/state_search.h"
#include "ranks/bytes.h"

struct lp_telling {
	struct lp_named_sets *sets;
	uint32_t agreed_sets;
	/* For each other peer.  `locals` and `sets` have a flag for each local state and each set: the peer was told
	 * about it.  `local_here` and `set_here` translate the peer's numbers: local_here.at[n] is 1 + the number that
	 * local state n of the peer has in this process, or 0 if it is not known; set_here.at[n] likewise for set n. */
	struct lp_told {
		struct { LP_VEC(uint8_t); } locals, sets;
		struct { LP_VEC(uint32_t); } local_here, set_here;
	} *peers;
	uint32_t count;
};

/* The tags of the parts of a message. */
enum lp_told_tag { LP_TOLD_LOCAL = 'L', LP_TOLD_SET = 'S', LP_TOLD_STATE = 'A' };

void lp_telling_open(struct lp_telling *, struct lp_named_sets *, uint32_t peers);
void lp_telling_close(struct lp_telling *);

/* Add to the message everything that peer `to` must know to understand the number. */
void lp_telling_local(struct lp_telling *, const struct lp_state_search *, uint32_t to, struct lp_bytes *, lp_local);
void lp_telling_set(struct lp_telling *, uint32_t to, struct lp_bytes *, uint32_t set);
/* Adds a state, and everything that is needed to understand it.  `words` are as in lp_arrivals. */
void lp_telling_state(struct lp_telling *, const struct lp_state_search *, uint32_t to, struct lp_bytes *,
		   const struct lp_arrival *, const uint64_t *words);

/* Reads the message up to the next state, but not that state.  Returns false if there is no further state.
 * `*seq` becomes the place of the state's parent in the order of visits. */
bool lp_telling_next(struct lp_telling *, struct lp_state_search *, uint32_t from, struct lp_cursor *, uint64_t *seq);
/* Reads the state to which lp_telling_next() has come. */
void lp_telling_hear(struct lp_telling *, struct lp_state_search *, uint32_t from, struct lp_cursor *, struct lp_arrival *,
		   struct lp_snapshot *);
/* Translates a set's number at peer `from` to its number in this process. */
uint32_t lp_telling_set_here(const struct lp_telling *, uint32_t from, uint32_t set);

#endif
