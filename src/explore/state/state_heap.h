/* state_heap.h -- inside the state explorer: the words of heap blocks.
 *
 * The word before a block, its head, has the block's size and whether it was freed
 * (program/process.h).  The explorer uses two higher bits: SEEN if the block was ever reachable
 * from shared memory, and GONE if it was reachable and no longer is (state_tidy.c).
 */
#ifndef LP_EXPLORE_STATE_STATE_HEAP_H
#define LP_EXPLORE_STATE_STATE_HEAP_H

#include "explore/state/state_search.h"

enum {
	LP_HEAD_FREED = 1,
	LP_HEAD_SIZE = 0xfffe,
	LP_HEAD_SEEN = 1 << 16,
	LP_HEAD_GONE = 1 << 17,
};

static inline uint32_t lp_head_size(uint64_t head)
{
	return (uint32_t)(head & LP_HEAD_SIZE) >> 1;
}

static inline uint32_t lp_head_words(uint64_t head)
{
	return (lp_head_size(head) + 7) / 8;
}

static inline uintptr_t lp_block_at(const struct lp_state_search *s, uint32_t slot)
{
	return s->a.processes->heap + ((uintptr_t)slot << s->a.slot_shift) + 16;
}

/* The last slot holds no block: pointers to dropped blocks are replaced by pointers into this slot
 * (state_hops.c). */
static inline uint8_t lp_lost_slot(const struct lp_state_search *s)
{
	return (uint8_t)(s->a.processes->slots - 1);
}

/* Words of memory that states contain are numbered.  These functions give a number to a word that has none yet, and return this number.
 * The word is the head of the block in a slot, or the k-th word of that block. */
uint32_t lp_heap_learn_head(struct lp_state_search *, uint32_t slot);
uint32_t lp_heap_learn_word(struct lp_state_search *, uint32_t slot, uint32_t k);

static inline uint32_t lp_head_word(struct lp_state_search *s, uint32_t slot)
{
	return s->heap.heads[slot] == LP_NO_WORD ? lp_heap_learn_head(s, slot) : s->heap.heads[slot];
}

static inline uint32_t lp_body_word(struct lp_state_search *s, uint32_t slot, uint32_t k)
{
	const uint32_t word = s->heap.bodies[slot][k];

	return word == LP_NO_WORD ? lp_heap_learn_word(s, slot, k) : word;
}

/* The head of the block; 0 if the slot is empty. */
static inline uint64_t lp_head_of(const struct lp_state_search *s, const struct lp_snapshot *n,
				  uint32_t slot)
{
	return s->heap.heads[slot] == LP_NO_WORD ? 0 : lp_search_word(s, n, s->heap.heads[slot]);
}

#endif
