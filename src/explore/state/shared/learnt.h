/* learnt.h -- what a search learns about memory, as a list that can be told to other processes.
 *
 * Reductions make assumptions: a word, or a field of blocks, is never written; bytes are never read; a block that is gone (state_tidy.c) is not
 * used again.  Each of these assumptions has two bits (automaton.h, state_search.h): one says that a reduction relies on the assumption, and
 * the other that the assumption was seen to be false.  A bit that was set stays set, unless the visit that has set it is taken back.  A *fact*
 * is such a bit with the number of the state at whose visit it was set.  Processes that visit states of the same distance do not know each other's
 * facts.  Two facts exclude each other if one relies on an assumption that the other shows to be false.  Then the later one of the two visits must
 * be repeated.  One more kind of fact has no counterpart: how far processes follow chains of blocks (state_hops.c).
 */
#ifndef LP_EXPLORE_STATE_SHARED_LEARNT_H
#define LP_EXPLORE_STATE_SHARED_LEARNT_H

#include "explore/state/state_search.h"

/* Kinds that exclude each other differ in the last bit of their numbers. */
enum lp_learnt_kind {
	LP_WORD_WRITTEN, LP_WORD_RELIED, LP_WORD_READ, LP_WORD_SKIPPED,
	LP_FIELD_WRITTEN, LP_FIELD_RELIED, LP_KIND_REVIVED, LP_KIND_RELIED,
	LP_BLOCKS_FOLLOWED, /* excludes no other fact: the search restarts with it */
};

struct lp_learnt_bit {
	uint64_t seq;     /* the state at whose visit the bit was set: its place in the order of visits */
	uint64_t address; /* for a word, its address; for a field, the size of its block and its place in the block; for
	                   * LP_KIND_*, the size of the blocks; for LP_BLOCKS_FOLLOWED, the index in `followed` */
	uint32_t peer;    /* the process that has learnt the fact */
	uint8_t kind, bits;
	uint16_t unused;
};

struct lp_learnt {
	struct { LP_VEC(uint32_t); } words; /* the bits of each word, as of the last lp_learnt_look() */
	struct lp_search_heap *heap;        /* the bits of the heap, as of the last lp_learnt_look() */
	struct { LP_VEC(struct lp_learnt_bit); } log;
};

void lp_learnt_open(struct lp_learnt *, const struct lp_state_search *);
void lp_learnt_close(struct lp_learnt *);
/* Adds the facts that were learnt since the last call to the log. */
void lp_learnt_look(struct lp_learnt *, const struct lp_state_search *, uint64_t seq, uint32_t peer);
/* Takes back the facts that were learnt in the visits of that state and of later states. */
void lp_learnt_take_back(struct lp_learnt *, struct lp_state_search *, uint64_t seq);
void lp_learnt_apply(struct lp_learnt *, struct lp_state_search *, const struct lp_learnt_bit *);
/* The first state whose visit did not know an earlier fact that excludes one of its own facts; UINT64_MAX if there is none. */
uint64_t lp_learnt_conflict(const struct lp_learnt_bit *, uint32_t count);

#endif
