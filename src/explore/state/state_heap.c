/* state_heap.c -- heap blocks in states (program/process.h describes their layout).
 *
 * An allocation takes any free slot; state_tidy.c then brings blocks into their normal order.  A
 * freed block keeps its slot as long as something points to it: using it is an error, and no new
 * block gets its address.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "explore/state/state_heap.h"

#define FRESH UINT64_C(0xbebebebebebebebe) /* the contents of a new block */

uint32_t lp_heap_learn_head(struct lp_state_search *s, uint32_t slot)
{
	LP_HOLDS(slot < s->a.processes->slots);
	s->heap.used = true;
	s->heap.heads[slot] = lp_automaton_word(&s->a, lp_block_at(s, slot) - 8);
	return s->heap.heads[slot];
}

uint32_t lp_heap_learn_word(struct lp_state_search *s, uint32_t slot, uint32_t k)
{
	LP_HOLDS(slot < s->a.processes->slots && k < LP_BLOCK_WORDS);
	s->heap.bodies[slot][k] = lp_automaton_word(&s->a, lp_block_at(s, slot) + 8 * (uintptr_t)k);
	return s->heap.bodies[slot][k];
}

void lp_heap_open(struct lp_state_search *s)
{
	const struct lp_processes *p = s->a.processes;

	if (!p->heap)
		return;
	memset(s->heap.heads, 0xff, sizeof s->heap.heads);
	memset(s->heap.bodies, 0xff, sizeof s->heap.bodies);
	for (uint32_t i = 0; i < p->root_count; i++)
		lp_automaton_word(&s->a, p->roots[i]);
	for (uint32_t i = 0; i < p->slots; i++) {
		const uint64_t head = p->class->initial(s->a.processes, lp_block_at(s, i) - 8, 8).lo;
		if (head)
			lp_head_word(s, i);
		/* The contents of a block of the set-up move with the block. */
		for (uint32_t k = 0; k < lp_head_words(head); k++)
			lp_body_word(s, i, k);
	}
}

static void complain(struct lp_state_search *s, const struct lp_op *op, enum lp_error_kind kind, const char *text)
{
	struct lp_program_error error = { .kind = kind, .loc = op->loc, .pc = op->pc };

	snprintf(error.text, sizeof error.text, "%s", text);
	lp_search_error(s, &error, s->step.process);
}

bool lp_heap_allows(struct lp_state_search *s, const struct lp_snapshot *n, const struct lp_op *op)
{
	const uint8_t slot = lp_automaton_slot(&s->a, op->loc);

	if (slot == LP_NO_SLOT)
		return true;
	const uint64_t head = lp_head_of(s, n, slot);
	if (head & LP_HEAD_FREED) {
		complain(s, op, LP_ERROR_USE_AFTER_FREE, "an access to a block that was freed");
		return false;
	}
	if (op->loc < lp_block_at(s, slot) || op->loc + op->size > lp_block_at(s, slot) + lp_head_size(head)) {
		complain(s, op, LP_ERROR_OUT_OF_BOUNDS, "an access outside of any block");
		return false;
	}
	return true;
}

void lp_heap_fill(struct lp_state_search *s, struct lp_snapshot *n, uint8_t slot, const struct lp_op *op)
{
	LP_HOLDS(op->kind == LP_OP_ALLOC && op->operand.lo << 1 <= LP_HEAD_SIZE && op->operand.lo <= 8 * LP_BLOCK_WORDS);
	lp_search_put(s, n, lp_head_word(s, slot), op->operand.lo << 1, false);
	for (uint32_t k = 0; 8 * (uint64_t)k < op->operand.lo; k++)
		lp_search_put(s, n, lp_body_word(s, slot, k), op->operand.hi ? 0 : FRESH, false);
}

bool lp_heap_alloc(struct lp_state_search *s, struct lp_snapshot *n, const struct lp_op *op,
		   uintptr_t *address)
{
	uint8_t slot = 0;

	while (slot < lp_lost_slot(s) && lp_head_of(s, n, slot))
		slot++;
	if (slot == lp_lost_slot(s)) {
		lp_search_stop(s, "there are more blocks of memory than states can have");
		return false;
	}
	*address = lp_block_at(s, slot);
	LP_HOLDS(lp_automaton_slot(&s->a, *address) == slot && !lp_head_of(s, n, slot));
	lp_heap_fill(s, n, slot, op);
	return true;
}

/* Gives the words of an empty slot their initial values, because no process reads them. */
static void clear_slot(struct lp_state_search *s, struct lp_snapshot *n, uint8_t slot, uint64_t head)
{
	for (uint32_t i = 0; i < n->words; i++)
		if (s->a.words.at[i].slot == slot)
			n->w[LP_STATE_PROCESSES + i] = s->a.words.at[i].initial;
	lp_search_put(s, n, lp_head_word(s, slot), head, false);
}

bool lp_heap_free(struct lp_state_search *s, struct lp_snapshot *n, const struct lp_op *op)
{
	const uint8_t slot = lp_automaton_slot(&s->a, op->loc);
	const uint64_t head = lp_head_of(s, n, slot);

	if (head & LP_HEAD_FREED) {
		complain(s, op, LP_ERROR_DOUBLE_FREE, "the memory was already freed");
		return false;
	}
	if (!head || op->loc != lp_block_at(s, slot)) {
		complain(s, op, LP_ERROR_INVALID_FREE, "free of an address that malloc did not return");
		return false;
	}
	LP_HOLDS(slot != LP_NO_SLOT && slot != lp_lost_slot(s));
	clear_slot(s, n, slot, head | LP_HEAD_FREED);
	return true;
}

bool lp_heap_is_private(struct lp_state_search *s, const struct lp_snapshot *n, uint8_t slot,
			uint32_t process)
{
	for (uint32_t i = 0; i < s->a.words.count; i++)
		if (s->a.words.at[i].slot != slot &&
		    lp_automaton_slot(&s->a, lp_search_word(s, n, i)) == slot)
			return false;
	for (uint32_t i = 0; i < s->options->processes; i++) {
		const struct lp_slots_of *slots = lp_automaton_slots(&s->a, (lp_local)n->w[i]);
		if (i != process && slots->count && memchr(slots->at, slot, slots->count))
			return false;
	}
	return true;
}

/* ---- what never changes ---- */

/* Most fields of nodes are written before other processes can reach them, and never again:
 * reading them commutes with all steps of other processes.  A field, given by the size of the block
 * and the place in it, is assumed to be of this kind until it is written; then the search restarts. */
bool lp_heap_is_fixed(struct lp_state_search *s, const struct lp_snapshot *n, const struct lp_op *op)
{
	const uint8_t slot = lp_automaton_slot(&s->a, op->loc);
	const uint32_t words = lp_head_words(lp_head_of(s, n, slot));
	const uintptr_t word = (op->loc - lp_block_at(s, slot)) / 8;

	if (op->kind != LP_OP_LOAD || op->size > 8 || op->otherwise != LP_ELSE_FAIL ||
	    lp_head_of(s, n, slot) & LP_HEAD_FREED || word >= words || words > LP_BLOCK_WORDS ||
	    s->heap.fields[words][word].written)
		return false;
	LP_HOLDS(slot != LP_NO_SLOT);
	lp_search_learn(s, &s->heap.fields[words][word].relied);
	return true;
}

void lp_heap_changes(struct lp_state_search *s, const struct lp_snapshot *n, const struct lp_op *op)
{
	const uint8_t slot = lp_automaton_slot(&s->a, op->loc);
	const uint32_t words = lp_head_words(lp_head_of(s, n, slot));
	uintptr_t first = 0, last = words;

	if (words > LP_BLOCK_WORDS)
		return;
	if (lp_op_is_access(op)) {
		first = (op->loc - lp_block_at(s, slot)) / 8;
		last = (op->loc + op->size - 1 - lp_block_at(s, slot)) / 8 + 1;
	}
	for (uintptr_t i = first; i < last && i < words; i++) {
		s->again |= s->heap.fields[words][i].relied && !s->heap.fields[words][i].written;
		lp_search_learn(s, &s->heap.fields[words][i].written);
	}
}

void lp_heap_revives(struct lp_state_search *s, uint64_t head)
{
	const uint32_t words = lp_head_words(head);

	if (!(head & LP_HEAD_GONE) || words > LP_BLOCK_WORDS)
		return;
	s->again |= s->heap.kinds[words].relied && !s->heap.kinds[words].revived;
	lp_search_learn(s, &s->heap.kinds[words].revived);
}
