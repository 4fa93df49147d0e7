/* learnt.h -- what a search learns about memory, as a list that can be told to other processes.
 *
 * Reductions rely on these facts: a word, or a field of blocks, is never written; bytes are never read; a block that was removed from the
 * state does not return.  There are bits for the facts that reductions rely on, and for what was seen; they are only ever set
 * (automaton.h, state_search.h).  A fact is such a bit with the number of the state at whose visit it was set.  Processes that
 * visit states of the same distance do not know each other's facts.  If two facts exclude each other, the later visit must be
 * repeated.
 */
#ifndef LP_EXPLORE_STATE_SHARED_LEARNT_H
#define LP_EXPLORE_STATE_SHARED_LEARNT_H

#include "explore/state/state_search.h"

/* Opposite facts differ in the last bit. */
enum lp_learnt_kind {
	LP_WORD_WRITTEN, LP_WORD_RELIED, LP_WORD_READ, LP_WORD_SKIPPED,
	LP_FIELD_WRITTEN, LP_FIELD_RELIED, LP_KIND_REVIVED, LP_KIND_RELIED,
	LP_BLOCKS_FOLLOWED, /* excludes no other fact: the search restarts */
};

struct lp_learnt_bit {
	uint64_t seq;     /* the state at whose visit the bit was set */
	uint64_t address; /* for a word its address; for a field the size of its block and the place in it */
	uint32_t peer;    /* the process that has learnt it */
	uint8_t kind, bits;
	uint16_t unused;
};

struct lp_learnt {
	struct { LP_VEC(uint32_t); } words; /* the bits of each word, as of the last look */
	struct lp_search_heap *heap;        /* the same for fields and kinds */
	struct { LP_VEC(struct lp_learnt_bit); } log;
};

void lp_learnt_open(struct lp_learnt *, const struct lp_state_search *);
void lp_learnt_close(struct lp_learnt *);
/* Adds the facts that were learnt since the last call to the log. */
void lp_learnt_look(struct lp_learnt *, const struct lp_state_search *, uint64_t seq, uint32_t peer);
/* Takes back the facts of that state and later ones. */
void lp_learnt_take_back(struct lp_learnt *, struct lp_state_search *, uint64_t seq);
void lp_learnt_apply(struct lp_learnt *, struct lp_state_search *, const struct lp_learnt_bit *);
/* The first state whose visit did not know of a fact that excludes one of its own; UINT64_MAX if there is none. */
uint64_t lp_learnt_conflict(const struct lp_learnt_bit *, uint32_t count);

#endif
