/* automaton.c -- remembers steps of processes, and numbers the words of memory. */
#include "explore/state/automaton.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

void lp_automaton_open(struct lp_automaton *a, struct lp_processes *processes)
{
	*a = (struct lp_automaton){ .processes = processes, .agreed_locals = UINT32_MAX, .agreed_words = UINT32_MAX,
				    .locals = processes->idle + 1 };
	if (!processes->heap)
		return;
	assert(processes->slots <= LP_NO_SLOT);
	while (1u << a->slot_shift < processes->slot_size)
		a->slot_shift++;
	assert(1u << a->slot_shift == processes->slot_size);
	a->heap_size = (uint64_t)processes->slots << a->slot_shift;
}

void lp_automaton_close(struct lp_automaton *a)
{
	lp_free(a->places.at);
	lp_free(a->words.at);
	lp_hash_close(&a->by_address);
	lp_free(a->edges);
	for (uint32_t i = 0; i < a->slots_room; i++)
		lp_free(a->slots[i].at);
	lp_free(a->slots);
	lp_seen_close(&a->moves);
	for (uint32_t i = 0; i < a->origins.count; i++)
		lp_free(a->origins.at[i].to);
	lp_free(a->origins.at);
	*a = (struct lp_automaton){ 0 };
}

void lp_automaton_agree(struct lp_automaton *a)
{
	if (a->agreed_locals != UINT32_MAX)
		return;
	a->agreed_locals = a->locals;
	a->agreed_words = a->words.count;
}

/* New local states have the next number. */
static void note_local(struct lp_automaton *a, lp_local local, lp_local from, const struct lp_response *answer,
		       const uint8_t *to)
{
	if (local < a->locals)
		return;
	a->locals = local + 1;
	if (local < a->agreed_locals || !a->processes->class->name)
		return;
	struct lp_local_origin origin = { .from = from };
	if (to)
		origin.to = memcpy(lp_alloc(256), to, 256);
	else
		origin.answer = *answer;
	LP_HOLDS(local == a->agreed_locals + a->origins.count);
	LP_PUSH(&a->origins, origin);
}

/* Searches all words; for debug builds. */
static bool search_word(const struct lp_automaton *a, uintptr_t address)
{
	for (uint32_t i = 0; i < a->words.count; i++)
		if (a->words.at[i].address == address)
			return true;
	return false;
}

uint32_t lp_automaton_word(struct lp_automaton *a, uintptr_t address)
{
	address &= ~(uintptr_t)7;
	struct lp_hash_probe probe = lp_hash_probe(&a->by_address, lp_mix(address));
	uint32_t word;
	while ((word = lp_hash_next(&a->by_address, &probe)) != LP_HASH_NONE)
		if (a->words.at[word].address == address)
			return word;
	LP_AGREES(!search_word(a, address));
	const uint64_t initial = a->processes->class->initial(a->processes, address, 8).lo;
	LP_PUSH(&a->words, ((struct lp_word){ .address = address, .initial = initial,
					      .slot = lp_automaton_slot(a, address) }));
	lp_hash_add(&a->by_address, lp_mix(address), a->words.count - 1);
	return a->words.count - 1;
}

void lp_automaton_learn(struct lp_automaton *a, lp_local local)
{
	while (a->places.count <= local)
		LP_PUSH(&a->places, (struct lp_place_of){ .known = false });
	struct lp_place_of p = { .op = *lp_processes_pending(a->processes, local), .known = true };
	if (lp_op_is_access(&p.op)) {
		p.word = lp_automaton_word(a, p.op.loc);
		p.second = p.op.size == 16 ? lp_automaton_word(a, p.op.loc + 8) : p.word;
		p.shift = (uint8_t)(p.op.loc % 8 * 8);
	}
	LP_HOLDS(!lp_op_is_access(&p.op) || p.op.size == 16 || p.op.loc % 8 + p.op.size <= 8);
	a->places.at[local] = p;
}

static struct lp_edge *edge_place(const struct lp_automaton *a, lp_local from,
				  const struct lp_response *answer)
{
	const uint64_t hash = lp_mix(answer->value.lo * 31 + answer->value.hi * 7 +
				     from * UINT64_C(0x9e3779b97f4a7c15) + answer->failed);
	uint32_t slot = (uint32_t)hash & (a->edge_room - 1);

	LP_HOLDS(a->edge_count < a->edge_room);
	for (; a->edges[slot].used; slot = (slot + 1) & (a->edge_room - 1)) {
		const struct lp_edge *e = &a->edges[slot];
		if (e->from == from && e->failed == answer->failed &&
		    lp_value_equal(e->value, answer->value))
			break;
	}
	return &a->edges[slot];
}

static void grow_edges(struct lp_automaton *a)
{
	struct lp_edge *old = a->edges;
	const uint32_t room = a->edge_room;

	a->edge_room = room ? 2 * room : 1024;
	a->edges = lp_alloc_zero(a->edge_room, sizeof *a->edges);
	for (uint32_t i = 0; i < room; i++)
		if (old[i].used) {
			const struct lp_response answer = { .value = old[i].value,
							  .failed = old[i].failed };
			*edge_place(a, old[i].from, &answer) = old[i];
		}
	lp_free(old);
}

/* The edge does not store the value written: it follows from the operation and the value read. */
lp_local lp_automaton_next(struct lp_automaton *a, lp_local from, const struct lp_response *answer)
{
	if (2 * a->edge_count >= a->edge_room)
		grow_edges(a);
	struct lp_edge *e = edge_place(a, from, answer);
	if (!e->used) {
		e->from = from;
		e->value = answer->value;
		e->failed = answer->failed;
		e->used = 1;
		a->edge_count++;
		e->to = lp_processes_step(a->processes, from, answer);
		note_local(a, e->to, from, answer, NULL);
	}
	LP_AGREES(e->to == lp_processes_step(a->processes, from, answer));
	return e->to;
}

/* ---- the heap ---- */

static void learn_slots(struct lp_automaton *a, lp_local local)
{
	struct lp_processes *p = a->processes;
	uint32_t count;
	uint8_t to[256];

	if (local >= a->slots_room) {
		const uint32_t room = 2 * local + 64;
		a->slots = lp_realloc(a->slots, sizeof *a->slots * room);
		memset(a->slots + a->slots_room, 0, sizeof *a->slots * (room - a->slots_room));
		a->slots_room = room;
	}
	const uint8_t *slots = p->class->slots(p, local, &count);
	struct lp_slots_of *s = &a->slots[local];
	*s = (struct lp_slots_of){ .at = lp_alloc(count + 1), .count = count, .known = true,
				   .shape = local };
	if (!count)
		return;
	memcpy(s->at, slots, count);
	memset(to, LP_NO_SLOT, sizeof to);
	LP_HOLDS(!memchr(s->at, LP_NO_SLOT, count));
	for (uint32_t i = 0, fresh = 0; i < count; i++)
		if (to[s->at[i]] == LP_NO_SLOT)
			to[s->at[i]] = (uint8_t)fresh++;
	const lp_local shape = lp_automaton_moved(a, local, to);
	a->slots[local].shape = shape; /* the table may have grown */
}

const struct lp_slots_of *lp_automaton_slots(struct lp_automaton *a, lp_local local)
{
	if (local >= a->slots_room || !a->slots[local].known)
		learn_slots(a, local);
	return &a->slots[local];
}

lp_local lp_automaton_moved(struct lp_automaton *a, lp_local local, const uint8_t *to)
{
	LP_HOLDS(local < a->slots_room && a->slots[local].known);
	const struct lp_slots_of *s = &a->slots[local];
	struct lp_fingerprint print = LP_FINGERPRINT;
	bool still = true;

	for (uint32_t i = 0; i < s->count; i++)
		still &= to[s->at[i]] == s->at[i];
	if (still)
		return local;
	lp_fingerprint_word(&print, local);
	for (uint32_t i = 0; i < s->count; i++)
		lp_fingerprint_word(&print, to[s->at[i]]);
	lp_local moved = lp_seen_number(&a->moves, print);
	if (moved == UINT32_MAX) {
		moved = a->processes->class->moved(a->processes, local, to);
		lp_seen_put(&a->moves, print, moved);
		note_local(a, moved, local, NULL, to);
	}
	LP_AGREES(moved == a->processes->class->moved(a->processes, local, to));
	return moved;
}
