/* state_tidy.c -- a normal form for the heap of a state.
 *
 * Two states are the same if they differ only in the places of blocks.  So after every transition
 * blocks are numbered in the order in which they are reached: first from words outside the heap, in
 * the order of their numbers; then from processes, sorted by their local states without pointers;
 * block by block, each block's words in order.  Each block then moves to the slot with its number,
 * and all pointers to it are changed.
 *
 * What is a pointer?  Every word whose lower 48 bits are an address in a slot.  So a number that
 * happens to look like a pointer keeps a block alive, and changes when the block moves.  The
 * addresses are chosen so that this does not happen by accident, not even when two numbers share a
 * word, and one of them is half of an old pointer.  A pointer that is stored in pieces, or otherwise
 * disguised, is not recognised.
 *
 * An unreachable block is dropped if it was freed, or if blocks are garbage-collected, as in the
 * pseudo-code of most papers.  Otherwise there is no verdict, because states would grow without bound.
 *
 * A block is *gone* if memory pointed to it once, and now only local states point to it: those of
 * processes that have read the pointer earlier.  Versions and counted pointers produce many such blocks.  Assume that
 * no process writes such a block, frees it, or makes memory point to it again.  Then all that a process
 * can do with the address of the block is to read the block, and to find that the address differs from
 * every address it finds elsewhere.  So it makes no difference whether two processes hold the same
 * block or two blocks with equal contents, and one block represents both; only the blocks of one
 * process must be kept apart.  (Equality up to such representatives is a bisimulation.)  The
 * assumption is made for all blocks of a size until it fails for one; then the search restarts.
 * This reduction is switched on and off together with symmetry.
 */
#include <string.h>

#include "base/error.h"
#include "explore/state/state_heap.h"

struct walk {
	struct lp_state_search *s;
	struct lp_snapshot *n;
	uint8_t to[256];      /* by slot: the number of its block, or LP_NO_SLOT */
	uint8_t order[256];   /* by number */
	uint32_t count, done; /* how many blocks are numbered; how many of these were followed */
	uint32_t seen;        /* how many of the first numbers are blocks to which memory leads */
	bool passed[256];     /* by slot: its block is gone, and was followed */

	/* How many of the last numbers are blocks that are gone. */
	uint32_t gone;
	uint8_t own[256];     /* by slot: its number for the process, or LP_NO_SLOT */
	uint8_t holder[256];  /* by number: 1 + the last process that holds it */
	bool busy[256];       /* by slot: its block is being followed */
	lp_local local[LP_STATE_PROCESSES]; /* the new local states of processes */
	uint32_t place[256];  /* by number: where in `kept` the block begins */
	uint32_t kept_count;
	uint64_t heads[256];  /* by number: the new heads */
};

static uint64_t kept[LP_STATE_WORDS]; /* the contents of blocks; static because only one search at a
                                       * time tidies up */

static uint64_t word_of(const struct walk *w, uint8_t slot, uint32_t k)
{
	return lp_search_word(w->s, w->n, lp_body_word(w->s, slot, k));
}

/* How many words of the block count; 0 if it was freed. */
static uint32_t words_in(const struct walk *w, uint8_t slot)
{
	const uint64_t head = lp_head_of(w->s, w->n, slot);

	return head & LP_HEAD_FREED ? 0 : lp_head_words(head);
}

static bool is_block(const struct walk *w, uint8_t slot)
{
	return slot != LP_NO_SLOT && lp_head_of(w->s, w->n, slot);
}

/* ---- numbers ---- */

static void meet(struct walk *w, uint8_t slot)
{
	if (!is_block(w, slot) || w->to[slot] != LP_NO_SLOT)
		return;
	LP_HOLDS(w->count < LP_NO_SLOT);
	w->to[slot] = (uint8_t)w->count;
	w->order[w->count++] = slot;
}

static void look_through(struct walk *w)
{
	for (; w->done < w->count; w->done++) {
		const uint8_t slot = w->order[w->done];
		for (uint32_t k = 0; k < words_in(w, slot); k++)
			meet(w, lp_automaton_slot(&w->s->a, word_of(w, slot, k)));
	}
}

/* Inserts a word outside the heap in the order of keys; usually it is the last. */
static void sort_in(struct lp_state_search *s, uint32_t word)
{
	uint32_t i = s->heap.outside.count;

	LP_PUSH(&s->heap.outside, word);
	for (; i > 0 && lp_automaton_word_key(&s->a, s->heap.outside.at[i - 1]) > lp_automaton_word_key(&s->a, word); i--)
		s->heap.outside.at[i] = s->heap.outside.at[i - 1];
	s->heap.outside.at[i] = word;
}

static void meet_from_memory(struct walk *w)
{
	struct lp_state_search *s = w->s;

	for (; s->heap.sorted_out < s->a.words.count; s->heap.sorted_out++)
		if (s->a.words.at[s->heap.sorted_out].slot == LP_NO_SLOT)
			sort_in(s, s->heap.sorted_out);
	for (uint32_t i = 0; i < s->heap.outside.count; i++)
		meet(w, lp_automaton_slot(&s->a, lp_search_word(s, w->n, s->heap.outside.at[i])));
	look_through(w);
	w->seen = w->count;
}

/* Is the block, to which memory does not lead, gone, and of a kind that stays gone? */
static bool is_gone(struct walk *w, uint8_t slot)
{
	const uint64_t head = lp_head_of(w->s, w->n, slot);
	const uint32_t words = lp_head_words(head);
	struct lp_state_search *s = w->s;

	if (!(head & LP_HEAD_SEEN) || head & LP_HEAD_FREED || words > LP_BLOCK_WORDS)
		return false;
	lp_search_learn(s, &s->heap.kinds[words].relied);
	if (s->heap.kinds[words].revived)
		return false;
	for (uint32_t k = 0; k < words; k++)
		if (s->heap.fields[words][k].written)
			return false;
	for (uint32_t k = 0; k < words; k++)
		lp_search_learn(s, &s->heap.fields[words][k].relied);
	return true;
}

/* A process holds the block.  A block that is gone gets its number later, but the blocks to which it
 * leads get theirs now. */
static void meet_held(struct walk *w, uint8_t slot)
{
	if (!is_block(w, slot) || w->to[slot] != LP_NO_SLOT || w->passed[slot])
		return;
	if (!is_gone(w, slot)) {
		meet(w, slot);
		return;
	}
	w->passed[slot] = true;
	for (uint32_t k = 0; k < words_in(w, slot); k++)
		meet_held(w, lp_automaton_slot(&w->s->a, word_of(w, slot, k)));
}

/* A hash that depends on the block and the blocks to which it leads, but not on their places. */
static uint64_t describe(const struct walk *w, uint8_t slot, unsigned depth)
{
	uint64_t look = lp_head_of(w->s, w->n, slot);

	if (w->to[slot] != LP_NO_SLOT)
		return w->to[slot];
	for (uint32_t k = 0; depth && k < words_in(w, slot); k++) {
		const uint64_t value = word_of(w, slot, k);
		const uint8_t target = lp_automaton_slot(&w->s->a, value);
		look = lp_mix(look + (is_block(w, target) ? describe(w, target, depth - 1) :
						    lp_processes_relative(w->s->a.processes, value))) * 31;
	}
	return look;
}

static uint64_t describe_held(const struct walk *w, const struct lp_slots_of *slots)
{
	uint64_t look = 0;

	for (uint32_t i = 0; i < slots->count; i++)
		look = lp_mix(look * 31 + describe(w, slots->at[i], 2));
	return look;
}

static int compare_processes(const struct walk *w, uint32_t a, uint32_t b)
{
	const struct lp_slots_of *x = &w->s->a.slots[(lp_local)w->n->w[a]];
	const struct lp_slots_of *y = &w->s->a.slots[(lp_local)w->n->w[b]];
	const uint32_t role_a = w->s->options->role[a], role_b = w->s->options->role[b];
	const uint64_t bits_a = w->n->w[a] >> 32, bits_b = w->n->w[b] >> 32;
	const struct lp_state_monitor *m = w->s->monitor;

	if (role_a != role_b)
		return role_a < role_b ? -1 : 1;
	if (x->shape != y->shape)
		return lp_automaton_comes_after(&w->s->a, y->shape, x->shape) ? -1 : 1;
	if (bits_a != bits_b)
		return bits_a < bits_b ? -1 : 1;
	for (uint32_t i = 0; i < x->count && i < y->count; i++)
		if (w->to[x->at[i]] != w->to[y->at[i]])
			return w->to[x->at[i]] < w->to[y->at[i]] ? -1 : 1;
	if (!x->count)
		return 0;
	const uint64_t held_a = describe_held(w, x), held_b = describe_held(w, y);
	if (held_a != held_b)
		return held_a < held_b ? -1 : 1;
	const uint64_t look_a = m->look(m->closure, w->n->set, a);
	const uint64_t look_b = m->look(m->closure, w->n->set, b);
	return look_a < look_b ? -1 : look_a > look_b;
}

static void sort_holders(struct walk *w, uint32_t *order)
{
	const uint32_t count = w->s->options->processes;

	for (uint32_t i = 0; i < count; i++)
		lp_automaton_slots(&w->s->a, (lp_local)w->n->w[i]);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = i;
		for (; w->s->options->symmetry && at > 0 &&
		       compare_processes(w, i, order[at - 1]) < 0; at--)
			order[at] = order[at - 1];
		order[at] = i;
		LP_HOLDS(at <= i);
	}
}

static void meet_from_processes(struct walk *w, const uint32_t *order)
{
	for (uint32_t i = 0; i < w->s->options->processes; i++) {
		const struct lp_slots_of *slots = &w->s->a.slots[(lp_local)w->n->w[order[i]]];
		for (uint32_t k = 0; k < slots->count; k++)
			meet_held(w, slots->at[k]);
		look_through(w);
	}
	LP_HOLDS(w->done == w->count && w->seen <= w->count);
	w->gone = w->count;
}

/* ---- what is gone ---- */

static uint64_t moved_to(const struct walk *w, uint64_t value, uint8_t slot, uint8_t to)
{
	return value + ((uint64_t)to << w->s->a.slot_shift) - ((uint64_t)slot << w->s->a.slot_shift);
}

/* The number of a block with the same contents that the process does not hold yet; or a new number. */
static uint8_t find_equal(struct walk *w, uint8_t slot, const uint64_t *content, uint32_t process)
{
	const uint32_t words = words_in(w, slot);
	uint32_t b = w->gone;

	LP_HOLDS(words <= LP_BLOCK_WORDS && w->kept_count + words <= LP_STATE_WORDS && w->count < LP_NO_SLOT);
	for (; b < w->count; b++)
		if (w->holder[b] != process + 1 && words_in(w, w->order[b]) == words &&
		    !memcmp(kept + w->place[b], content, sizeof *content * words))
			break;
	if (b == w->count) {
		w->order[w->count] = slot;
		w->place[w->count++] = w->kept_count;
		memcpy(kept + w->kept_count, content, sizeof *content * words);
		w->kept_count += words;
	}
	w->holder[b] = (uint8_t)(process + 1);
	return (uint8_t)b;
}

/* Numbers the block for the process that holds it, after the blocks to which it leads. */
static uint8_t number_held(struct walk *w, uint8_t slot, uint32_t process)
{
	uint64_t content[LP_BLOCK_WORDS];

	if (w->to[slot] != LP_NO_SLOT)
		return w->to[slot];
	if (w->own[slot] != LP_NO_SLOT)
		return w->own[slot];
	if (w->busy[slot]) { /* a cycle: blocks of this size are no longer merged */
		lp_heap_revives(w->s, lp_head_of(w->s, w->n, slot) | LP_HEAD_GONE);
		return slot;
	}
	LP_HOLDS(words_in(w, slot) <= LP_BLOCK_WORDS);
	w->busy[slot] = true;
	for (uint32_t k = 0; k < words_in(w, slot); k++) {
		const uint64_t value = word_of(w, slot, k);
		const uint8_t target = lp_automaton_slot(&w->s->a, value);
		content[k] = is_block(w, target) ?
			     moved_to(w, value, target, number_held(w, target, process)) : value;
	}
	w->busy[slot] = false;
	w->own[slot] = find_equal(w, slot, content, process);
	return w->own[slot];
}

/* The local state of the process after its blocks have moved. */
static lp_local moved_process(struct walk *w, uint32_t process)
{
	const lp_local local = (lp_local)w->n->w[process];
	const struct lp_slots_of *slots = &w->s->a.slots[local];
	uint8_t to[256];
	bool any = false;

	for (uint32_t k = 0; k < slots->count; k++)
		any |= is_block(w, slots->at[k]) && w->to[slots->at[k]] == LP_NO_SLOT;
	if (!any)
		return lp_automaton_moved(&w->s->a, local, w->to);
	memset(w->own, LP_NO_SLOT, sizeof w->own);
	memcpy(to, w->to, sizeof to);
	for (uint32_t k = 0; k < slots->count; k++)
		if (is_block(w, slots->at[k]))
			to[slots->at[k]] = number_held(w, slots->at[k], process);
	return lp_automaton_moved(&w->s->a, local, to);
}

/* ---- moving ---- */

static void keep_blocks(struct walk *w)
{
	for (uint32_t b = 0; b < w->gone; b++) {
		const uint8_t slot = w->order[b];
		LP_HOLDS(w->kept_count + words_in(w, slot) <= LP_STATE_WORDS);
		w->place[b] = w->kept_count;
		for (uint32_t k = 0; k < words_in(w, slot); k++) {
			const uint64_t value = word_of(w, slot, k);
			const uint8_t target = lp_automaton_slot(&w->s->a, value);
			kept[w->kept_count++] =
				target == LP_NO_SLOT || w->to[target] == LP_NO_SLOT ?
				value : moved_to(w, value, target, w->to[target]);
		}
	}
}

/* Gives the words of empty slots their initial values, because no process reads them. */
static void clear_blocks(struct walk *w)
{
	struct lp_state_search *s = w->s;

	for (uint32_t i = 0; i < s->a.processes->slots; i++) {
		const uint64_t head = lp_head_of(s, w->n, i);
		if (!head)
			continue;
		for (uint32_t k = 0; k < lp_head_words(head); k++) {
			const uint32_t word = lp_body_word(s, i, k);
			lp_search_put(s, w->n, word, s->a.words.at[word].initial, false);
		}
		lp_search_put(s, w->n, s->heap.heads[i], 0, false);
	}
}

static void move_blocks(struct walk *w)
{
	struct lp_state_search *s = w->s;

	keep_blocks(w);
	for (uint32_t i = 0; i < s->heap.outside.count; i++) {
		const uint64_t value = lp_search_word(s, w->n, s->heap.outside.at[i]);
		const uint8_t slot = lp_automaton_slot(&s->a, value);
		if (slot != LP_NO_SLOT && w->to[slot] != LP_NO_SLOT && w->to[slot] != slot)
			lp_search_put(s, w->n, s->heap.outside.at[i], moved_to(w, value, slot, w->to[slot]),
				      false);
	}
	uint32_t words[256];
	for (uint32_t b = 0; b < w->count; b++)
		words[b] = words_in(w, w->order[b]);
	clear_blocks(w);
	for (uint32_t b = 0; b < w->count; b++) {
		lp_search_put(s, w->n, lp_head_word(s, b), w->heads[b], false);
		for (uint32_t k = 0; k < words[b]; k++)
			lp_search_put(s, w->n, lp_body_word(s, b, k), kept[w->place[b] + k], false);
	}
	for (uint32_t i = 0; i < s->options->processes; i++)
		w->n->w[i] = (w->n->w[i] & ~(uint64_t)UINT32_MAX) | w->local[i];
}

/* Marks the blocks to which memory leads, or has led. */
static void mark_blocks(struct walk *w)
{
	for (uint32_t b = 0; b < w->count; b++) {
		const uint64_t head = lp_head_of(w->s, w->n, w->order[b]);
		w->heads[b] = head;
		if (!w->s->options->symmetry)
			continue;
		if (b < w->seen) {
			lp_heap_revives(w->s, head);
			w->heads[b] = (head | LP_HEAD_SEEN) & ~(uint64_t)LP_HEAD_GONE;
		} else if (head & LP_HEAD_SEEN) {
			w->heads[b] = head | LP_HEAD_GONE;
		}
	}
}

/* Are blocks and processes already in the normal form? */
static bool is_tidy(const struct walk *w)
{
	for (uint32_t b = 0; b < w->count; b++)
		if (w->order[b] != b || w->heads[b] != lp_head_of(w->s, w->n, b))
			return false;
	for (uint32_t i = w->count; i < w->s->a.processes->slots; i++)
		if (lp_head_of(w->s, w->n, i))
			return false;
	for (uint32_t i = 0; i < w->s->options->processes; i++)
		if (w->local[i] != (lp_local)w->n->w[i])
			return false;
	return true;
}

/* Are the blocks in the first slots, with their new heads, and are the other slots empty? */
static bool blocks_are_packed(const struct walk *w)
{
	for (uint32_t i = 0; i < w->s->a.processes->slots; i++)
		if (lp_head_of(w->s, w->n, i) != (i < w->count ? w->heads[i] : 0))
			return false;
	return true;
}
/* Is there a block that is neither freed nor reachable? */
static bool leaks(const struct walk *w)
{
	for (uint32_t i = 0; i < w->s->a.processes->slots; i++) {
		const uint64_t head = lp_head_of(w->s, w->n, i);
		if (head && !(head & LP_HEAD_FREED) && w->to[i] == LP_NO_SLOT && !w->passed[i])
			return true;
	}
	return false;
}

void lp_state_tidy_heap(struct lp_state_search *s, struct lp_snapshot *n)
{
	struct walk w = { .s = s, .n = n };
	uint32_t order[LP_STATE_PROCESSES];

	memset(w.to, LP_NO_SLOT, sizeof w.to);
	meet_from_memory(&w);
	lp_hops_cut(s, n, w.to);
	sort_holders(&w, order);
	meet_from_processes(&w, order);
	if (!s->options->gc && leaks(&w)) {
		lp_search_stop(s, "allocated memory is unreachable (--gc reclaims it)");
		return;
	}
	for (uint32_t i = 0; i < s->options->processes; i++)
		w.local[order[i]] = moved_process(&w, order[i]);
	mark_blocks(&w);
	if (!is_tidy(&w))
		move_blocks(&w);
	LP_VALID(s->stopped || blocks_are_packed(&w));
}
