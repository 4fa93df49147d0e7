/* state_heap.c -- the heap of states, tidied up (program/process.h says how it lies).
 *
 * Two states are the same if they differ in where blocks are only.  So after every
 * transition blocks are numbered as one comes by them: from words outside the heap, in the
 * order of their numbers, then from processes, those sorted by what they are but for
 * pointers; a block at a time, its words in order.  Each then moves to the slot that has its
 * number, and all that points to it follows.
 *
 * What points?  Every word that, but for its highest 16 bits, is an address in a slot.  So a
 * number that happens to look like one keeps a block alive, and changes when that moves;
 * the addresses are such that none does by accident.  A pointer that is kept in pieces, or
 * otherwise disguised, is not recognised.
 *
 * A block that nobody points to is dropped, if it was freed or if blocks are collected, as
 * in the pseudo-code of most papers; or else there is no verdict, for states would grow.  One
 * that was freed stays as long as anybody points to it: using it is an error, and no new
 * block has its address.
 */
#include <stdio.h>
#include <string.h>

#include "explore/state_search.h"

#define FRESH UINT64_C(0xbebebebebebebebe) /* what a new block holds */

enum { HEAD = 16 };

#define NO_WORD UINT32_MAX

static uint32_t head_word(struct lp_search *s, uint32_t slot)
{
	const struct lp_processes *p = s->a.processes;

	s->heap_used = true;
	if (s->heads[slot] == NO_WORD)
		s->heads[slot] = lp_automaton_word(&s->a, p->heap + (uintptr_t)slot * p->slot_size + 8);
	return s->heads[slot];
}

void lp_heap_open(struct lp_search *s)
{
	const struct lp_processes *p = s->a.processes;

	if (!p->heap)
		return;
	memset(s->heads, 0xff, sizeof s->heads);
	for (uint32_t i = 0; i < p->root_count; i++)
		lp_automaton_word(&s->a, p->roots[i]);
	for (uint32_t i = 0; i < p->slots; i++) {
		const uintptr_t slot = p->heap + (uintptr_t)i * p->slot_size;
		const uint64_t size = p->class->initial(s->a.processes, slot + 8, 8).lo >> 1;
		if (size)
			head_word(s, i);
		/* Whatever the blocks of the set-up hold is theirs, and goes with them. */
		for (uint64_t at = 0; at < size; at += 8)
			lp_automaton_word(&s->a, slot + HEAD + at);
	}
}

/* Slots that never held anything have no word. */
static uint64_t head_of(const struct lp_search *s, const struct lp_snapshot *n, uint8_t slot)
{
	return s->heads[slot] == NO_WORD ? 0 : lp_search_word(s, n, s->heads[slot]);
}

static uintptr_t block_at(const struct lp_search *s, uint32_t slot)
{
	return s->a.processes->heap + (uintptr_t)slot * s->a.processes->slot_size + HEAD;
}

static void complain(struct lp_search *s, const struct lp_op *op, const char *kind, const char *text)
{
	struct lp_program_error error = { .kind = kind, .loc = op->loc, .pc = op->pc };

	snprintf(error.text, sizeof error.text, "%s", text);
	lp_search_error(s, &error, s->process);
}

bool lp_heap_allows(struct lp_search *s, const struct lp_snapshot *n, const struct lp_op *op)
{
	const uint8_t slot = lp_automaton_slot(&s->a, op->loc);

	if (slot == LP_NO_SLOT)
		return true;
	const uint64_t head = head_of(s, n, slot);
	if (head & 1) {
		complain(s, op, "use after free", "an access to a block that was freed");
		return false;
	}
	if (op->loc < block_at(s, slot) || op->loc + op->size > block_at(s, slot) + (head >> 1)) {
		complain(s, op, "out of bounds", "an access outside of any block");
		return false;
	}
	return true;
}

bool lp_heap_alloc(struct lp_search *s, struct lp_snapshot *n, const struct lp_op *op,
		   uintptr_t *address)
{
	uint8_t slot = 0;

	while (slot < s->a.processes->slots && head_of(s, n, slot))
		slot++;
	if (slot == s->a.processes->slots) {
		lp_search_stop(s, "there are more blocks of memory than states can have");
		return false;
	}
	*address = block_at(s, slot);
	lp_search_put(s, n, head_word(s, slot), op->operand.lo << 1, false);
	for (uint64_t at = 0; at < op->operand.lo; at += 8)
		lp_search_put(s, n, lp_automaton_word(&s->a, *address + at),
			      op->operand.hi ? 0 : FRESH, false);
	return true;
}

/* The words of a slot that holds nothing are as at first: they are nobody's business. */
static void clear_slot(struct lp_search *s, struct lp_snapshot *n, uint8_t slot, uint64_t head)
{
	for (uint32_t i = 0; i < n->words; i++)
		if (s->a.words.at[i].slot == slot)
			n->w[LP_STATE_PROCESSES + i] = s->a.words.at[i].initial;
	lp_search_put(s, n, head_word(s, slot), head, false);
}

bool lp_heap_free(struct lp_search *s, struct lp_snapshot *n, const struct lp_op *op)
{
	const uint8_t slot = lp_automaton_slot(&s->a, op->loc);
	const uint64_t head = head_of(s, n, slot);

	if (head & 1)
		complain(s, op, "double free", "the memory was already freed");
	else if (!head || op->loc != block_at(s, slot))
		complain(s, op, "invalid free", "free of an address that malloc did not return");
	else
		clear_slot(s, n, slot, head | 1);
	return !s->stopped;
}

bool lp_heap_is_private(struct lp_search *s, const struct lp_snapshot *n, uint8_t slot,
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

/* Most fields of nodes are written before anybody else can come by them, and never again:
 * reading those commutes with whatever others do.  Which fields is assumed by size of
 * the block and place in it, until one is written; then all begins again. */
bool lp_heap_is_fixed(struct lp_search *s, const struct lp_snapshot *n, const struct lp_op *op)
{
	const uint8_t slot = lp_automaton_slot(&s->a, op->loc);
	const uint64_t words = (head_of(s, n, slot) + 15) >> 4;
	const uintptr_t word = (op->loc - block_at(s, slot)) / 8;

	if (op->kind != LP_OP_LOAD || op->size > 8 || op->otherwise != LP_ELSE_FAIL ||
	    head_of(s, n, slot) & 1 || word >= words || words > LP_BLOCK_WORDS ||
	    s->fields[words][word].written)
		return false;
	s->fields[words][word].relied = true;
	return true;
}

void lp_heap_changes(struct lp_search *s, const struct lp_snapshot *n, const struct lp_op *op)
{
	const uint8_t slot = lp_automaton_slot(&s->a, op->loc);
	const uint64_t words = (head_of(s, n, slot) + 15) >> 4;
	uintptr_t first = 0, last = words;

	if (words > LP_BLOCK_WORDS)
		return;
	if (lp_op_access(op)) {
		first = (op->loc - block_at(s, slot)) / 8;
		last = (op->loc + op->size - 1 - block_at(s, slot)) / 8 + 1;
	}
	for (uintptr_t i = first; i < last && i < words; i++) {
		s->again |= s->fields[words][i].relied && !s->fields[words][i].written;
		s->fields[words][i].written = true;
	}
}

/* ---- tidying up ---- */

struct walk {
	struct lp_search *s;
	struct lp_snapshot *n;
	uint8_t to[256];    /* by slot: its number, or LP_NO_SLOT */
	uint8_t order[256]; /* by number */
	uint32_t count, done; /* numbered; of these, looked through */
};

static void meet(struct walk *w, uint8_t slot)
{
	if (slot == LP_NO_SLOT || w->to[slot] != LP_NO_SLOT || !head_of(w->s, w->n, slot))
		return;
	w->to[slot] = (uint8_t)w->count;
	w->order[w->count++] = slot;
}

static void look_through(struct walk *w)
{
	for (; w->done < w->count; w->done++) {
		const uint8_t slot = w->order[w->done];
		const uint64_t head = head_of(w->s, w->n, slot);
		for (uint64_t at = 0; !(head & 1) && at < head >> 1; at += 8) {
			const uint32_t word = lp_automaton_word(&w->s->a, block_at(w->s, slot) + at);
			meet(w, lp_automaton_slot(&w->s->a, lp_search_word(w->s, w->n, word)));
		}
	}
}

static int compare_processes(const struct walk *w, uint32_t a, uint32_t b)
{
	const struct lp_slots_of *x = &w->s->a.slots[(lp_local)w->n->w[a]];
	const struct lp_slots_of *y = &w->s->a.slots[(lp_local)w->n->w[b]];
	const uint32_t role_a = w->s->options->role[a], role_b = w->s->options->role[b];
	const uint64_t bits_a = w->n->w[a] >> 32, bits_b = w->n->w[b] >> 32;

	if (role_a != role_b)
		return role_a < role_b ? -1 : 1;
	if (x->shape != y->shape)
		return x->shape < y->shape ? -1 : 1;
	if (bits_a != bits_b)
		return bits_a < bits_b ? -1 : 1;
	for (uint32_t i = 0; i < x->count && i < y->count; i++)
		if (w->to[x->at[i]] != w->to[y->at[i]])
			return w->to[x->at[i]] < w->to[y->at[i]] ? -1 : 1;
	return 0;
}

static void meet_processes(struct walk *w)
{
	const uint32_t count = w->s->options->processes;
	uint32_t order[LP_STATE_PROCESSES];

	for (uint32_t i = 0; i < count; i++)
		lp_automaton_slots(&w->s->a, (lp_local)w->n->w[i]);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = i;
		for (; w->s->options->symmetry && at > 0 &&
		       compare_processes(w, i, order[at - 1]) < 0; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct lp_slots_of *slots = &w->s->a.slots[(lp_local)w->n->w[order[i]]];
		for (uint32_t k = 0; k < slots->count; k++)
			meet(w, slots->at[k]);
		look_through(w);
	}
}

static uint64_t moved(const struct walk *w, uint64_t value)
{
	const uint8_t slot = lp_automaton_slot(&w->s->a, value);

	if (slot == LP_NO_SLOT || w->to[slot] == LP_NO_SLOT)
		return value;
	return value + ((uint64_t)w->to[slot] - slot) * w->s->a.processes->slot_size;
}

/* Takes all blocks out, then puts them where they belong. */
static void move_blocks(struct walk *w)
{
	static uint64_t kept[LP_STATE_WORDS]; /* one search at a time moves */
	struct lp_search *s = w->s;
	uint64_t heads[256];
	uint32_t used = 0;

	for (uint32_t b = 0; b < w->count; b++) {
		heads[b] = head_of(s, w->n, w->order[b]);
		for (uint64_t at = 0; !(heads[b] & 1) && at < heads[b] >> 1; at += 8)
			kept[used++] = moved(w, lp_search_word(s, w->n,
				lp_automaton_word(&s->a, block_at(s, w->order[b]) + at)));
	}
	for (uint32_t i = 0; i < s->a.words.count; i++) {
		const struct lp_word *word = &s->a.words.at[i];
		const uint64_t value = lp_search_word(s, w->n, i);
		uint64_t next = word->slot == LP_NO_SLOT ? moved(w, value) : word->initial;
		if (word->slot != LP_NO_SLOT && i == s->heads[word->slot])
			next = 0;
		if (next != value)
			lp_search_put(s, w->n, i, next, false);
	}
	used = 0;
	for (uint32_t b = 0; b < w->count; b++) {
		lp_search_put(s, w->n, head_word(s, b), heads[b], false);
		for (uint64_t at = 0; !(heads[b] & 1) && at < heads[b] >> 1; at += 8)
			lp_search_put(s, w->n, lp_automaton_word(&s->a, block_at(s, b) + at),
				      kept[used++], false);
	}
	for (uint32_t i = 0; i < s->options->processes; i++) {
		const lp_local local = lp_automaton_moved(&s->a, (lp_local)w->n->w[i], w->to);
		w->n->w[i] = (w->n->w[i] & ~(uint64_t)UINT32_MAX) | local;
	}
}

void lp_heap_tidy(struct lp_search *s, struct lp_snapshot *n)
{
	struct walk w = { .s = s, .n = n };
	bool still = true;

	if (!s->heap_used)
		return;
	memset(w.to, LP_NO_SLOT, sizeof w.to);
	for (uint32_t i = 0; i < s->a.words.count; i++)
		if (s->a.words.at[i].slot == LP_NO_SLOT)
			meet(&w, lp_automaton_slot(&s->a, lp_search_word(s, n, i)));
	look_through(&w);
	meet_processes(&w);
	for (uint32_t i = 0; i < s->a.processes->slots; i++) {
		const uint64_t head = head_of(s, n, (uint8_t)i);
		if (head && w.to[i] == LP_NO_SLOT && !(head & 1) && !s->options->gc) {
			lp_search_stop(s, "memory is allocated that nobody can come by any more "
					  "(--gc drops it)");
			return;
		}
		still &= !head || w.to[i] == i;
	}
	if (!still)
		move_blocks(&w);
}
