/* state_hops.c -- drops blocks in long chains that memory no longer leads to.
 *
 * A process has read a pointer to a node, and sleeps.  Meanwhile the others unlink the node, the next
 * one, the one after that, and each of those still points to the next:
 *
 *     process --> S1 --> S2 --> S3 --> ... --> the first node of the list, by now
 *
 * The process keeps the whole chain reachable, and the chain grows without bound.  But the process
 * will only read S1, or S1 and S2, and find that its pointer is outdated.
 *
 * Claim.  A block is *stale* if memory led to it once and no longer does.  A stale block is dropped if it is
 * more than `hops` pointers away from all blocks that processes hold.  Every pointer to a dropped block is
 * replaced by a pointer into one slot that holds no block, lp_lost_slot(), and is then *lost*.  Under conditions
 * H1 to H4 the resulting states are bisimilar to the original ones.
 *
 *   H1  no process accesses or frees a lost block;
 *   H2  no process writes a lost pointer, anywhere;
 *   H3  no process reads a lost pointer while it holds one, nor two at once;
 *   H4  a block is not dropped if a process holds it, or if a block of a process's own, to which memory
 *       never led, points to it.
 *
 * Argument.  The relation maps each dropped block of the original state to the lost slot.  A process finds
 * out about a dropped block by accessing it, which H1 excludes, or by comparing its address with another
 * address.  There are three cases for the other address:
 *
 *   - It points to a block that memory leads to.  The dropped block is not such a block, and by H2 never
 *     becomes one, so the addresses differ in both states.
 *   - It points to another stale block, or to a block of the process's own.  When the block was dropped no
 *     process held its address (H4), and all copies of the address were replaced, so the addresses differ in
 *     both states.
 *   - It is lost itself.  Then the process compares two lost pointers, and has read the second while it held
 *     the first, which H3 excludes.  (A compare-and-swap that expects a lost pointer holds it, too.)
 *
 * So every operation has the same result in both states, and leads to related states again.  Frees and races:
 * a free of a dropped block, and an access to it by two processes, would need its address (H1).  A block that
 * was freed is not dropped, since an access to it is an error.
 *
 * H1 to H3 are checked at every operation.  If one fails, the search restarts with one more hop; after
 * LP_MOST_HOPS, with all blocks kept.  H4 holds by construction.  Blocks are only dropped if unreachable blocks are
 * reclaimed (options->gc): otherwise a block that is left behind has to be freed.  Dropping is switched on and off together
 * with symmetry.
 *
 * No block is dropped at first.  Which pointers are lost depends on the past: a process that goes on along its chain finds a
 * lost pointer if the next block was too far away at some time, but the block itself if another process was close to it all
 * the time.  So one original state may become several.  If chains are bounded anyway, dropping costs states and saves none:
 * zoo/msqueue_counted.c had up to two thirds more.  Therefore all blocks are kept until one is more than LONG_CHAIN pointers
 * away; then the search restarts with 0 hops.
 */
#include <string.h>

#include "base/error.h"
#include "explore/state/state_heap.h"

enum { ALL_HOPS = UINT8_MAX, LONG_CHAIN = 8 };

/* How far blocks are kept. */
static uint8_t hops_of(const struct lp_state_search *s)
{
	for (uint8_t i = 0; s->heap.followed[0] && i <= LP_MOST_HOPS; i++)
		if (!s->heap.followed[1 + i])
			return i;
	return ALL_HOPS;
}

static void learn_and_restart(struct lp_state_search *s, bool *followed)
{
	lp_search_learn(s, followed);
	s->again = true;
}

static bool is_stale(const struct lp_state_search *s, const struct lp_snapshot *n, uint32_t slot)
{
	return (lp_head_of(s, n, slot) & (LP_HEAD_SEEN | LP_HEAD_FREED)) == LP_HEAD_SEEN;
}

struct chains {
	struct lp_state_search *s;
	const struct lp_snapshot *n;
	const uint8_t *to;  /* by slot: not LP_NO_SLOT if memory leads to it */
	uint8_t hops[256];  /* by slot: the number of pointers from what processes hold; ALL_HOPS:
	                     * not reached */
	uint8_t queue[256]; /* slots whose blocks must still be followed */
	uint32_t count;
};

static void reach(struct chains *c, uint8_t slot, uint8_t hops)
{
	if (slot == LP_NO_SLOT || c->to[slot] != LP_NO_SLOT || !lp_head_of(c->s, c->n, slot) || c->hops[slot] <= hops)
		return;
	c->hops[slot] = hops;
	for (uint32_t i = 0; i < c->count; i++)
		if (c->queue[i] == slot)
			return;
	LP_HOLDS(c->count < sizeof c->queue);
	c->queue[c->count++] = slot;
}

/* Pointers of a process's own blocks count as its own. */
static void follow(struct chains *c, uint8_t slot)
{
	const uint64_t head = lp_head_of(c->s, c->n, slot);
	const uint32_t words = head & LP_HEAD_FREED ? 0 : lp_head_words(head);
	const uint8_t hops = (uint8_t)(c->hops[slot] + is_stale(c->s, c->n, slot));
	LP_HOLDS(c->hops[slot] != ALL_HOPS && words <= LP_BLOCK_WORDS);

	for (uint32_t k = 0; k < words; k++)
		reach(c, lp_automaton_slot(&c->s->a, lp_search_word(c->s, c->n, lp_body_word(c->s, slot, k))), hops);
}

void lp_hops_cut(struct lp_state_search *s, const struct lp_snapshot *n, uint8_t *to)
{
	struct chains c = { .s = s, .n = n, .to = to };
	const uint8_t hops = hops_of(s);

	to[lp_lost_slot(s)] = lp_lost_slot(s);
	if (!s->options->gc || !s->options->symmetry || (hops == ALL_HOPS && s->heap.followed[0]))
		return;
	memset(c.hops, ALL_HOPS, sizeof c.hops);
	for (uint32_t i = 0; i < s->options->processes; i++) {
		const struct lp_slots_of *slots = lp_automaton_slots(&s->a, lp_local_of(n, i));
		for (uint32_t k = 0; k < slots->count; k++)
			reach(&c, slots->at[k], 0);
	}
	while (c.count)
		follow(&c, c.queue[--c.count]);
	for (uint32_t i = 0; i < s->a.processes->slots; i++) {
		if (c.hops[i] == ALL_HOPS || !is_stale(s, n, i))
			continue;
		if (c.hops[i] > LONG_CHAIN && !s->heap.followed[0])
			learn_and_restart(s, &s->heap.followed[0]);
		if (c.hops[i] > hops)
			to[i] = lp_lost_slot(s);
	}
}

void lp_hops_fail(struct lp_state_search *s)
{
	if (s->again)
		return;
	LP_HOLDS(hops_of(s) != ALL_HOPS); /* some pointer was lost */
	learn_and_restart(s, &s->heap.followed[1 + hops_of(s)]);
}

static bool is_lost(const struct lp_state_search *s, uint64_t value)
{
	return s->a.processes->heap && lp_automaton_slot(&s->a, value) == lp_lost_slot(s);
}

bool lp_hops_reach(struct lp_state_search *s, const struct lp_op *op)
{
	if (!is_lost(s, op->loc))
		return true;
	lp_hops_fail(s);
	return false;
}

bool lp_hops_may_write(struct lp_state_search *s, struct lp_value value)
{
	if (!is_lost(s, value.lo) && !is_lost(s, value.hi))
		return true;
	lp_hops_fail(s);
	return false;
}

bool lp_hops_may_read(struct lp_state_search *s, lp_local local, struct lp_value value)
{
	const unsigned lost = is_lost(s, value.lo) + is_lost(s, value.hi);

	if (!lost)
		return true;
	const struct lp_slots_of *slots = lp_automaton_slots(&s->a, local);
	if (lost == 1 && !(slots->count && memchr(slots->at, lp_lost_slot(s), slots->count)))
		return true;
	lp_hops_fail(s);
	return false;
}
