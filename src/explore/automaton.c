/* automaton.c -- what the state explorer remembers of processes and of memory. */
#include "explore/automaton.h"

#include <string.h>

#include "base/hash.h"

void lp_automaton_open(struct lp_automaton *a, struct lp_processes *processes)
{
	*a = (struct lp_automaton){ .processes = processes };
}

void lp_automaton_close(struct lp_automaton *a)
{
	lp_free(a->places.at);
	lp_free(a->words.at);
	lp_free(a->word_table);
	lp_free(a->edges);
	*a = (struct lp_automaton){ 0 };
}

static void grow_words(struct lp_automaton *a)
{
	a->word_room = a->word_room ? 2 * a->word_room : 64;
	lp_free(a->word_table);
	a->word_table = lp_alloc_zero(a->word_room, sizeof *a->word_table);
	for (uint32_t i = 0; i < a->words.count; i++) {
		uint32_t slot = (uint32_t)lp_mix(a->words.at[i].address) & (a->word_room - 1);
		while (a->word_table[slot])
			slot = (slot + 1) & (a->word_room - 1);
		a->word_table[slot] = i + 1;
	}
}

static uint32_t word_at(struct lp_automaton *a, uintptr_t address)
{
	address &= ~(uintptr_t)7;
	if (2 * a->words.count >= a->word_room)
		grow_words(a);
	uint32_t slot = (uint32_t)lp_mix(address) & (a->word_room - 1);
	for (; a->word_table[slot]; slot = (slot + 1) & (a->word_room - 1))
		if (a->words.at[a->word_table[slot] - 1].address == address)
			return a->word_table[slot] - 1;
	const uint64_t initial = a->processes->class->initial(a->processes, address, 8).lo;
	LP_PUSH(&a->words, ((struct lp_word){ .address = address, .initial = initial }));
	a->word_table[slot] = a->words.count;
	return a->words.count - 1;
}

static bool is_access(const struct lp_op *op)
{
	return op->kind == LP_OP_LOAD || op->kind == LP_OP_STORE || op->kind == LP_OP_RMW;
}

static void learn_place(struct lp_automaton *a, lp_local local)
{
	while (a->places.count <= local)
		LP_PUSH(&a->places, (struct lp_place_of){ .known = false });
	struct lp_place_of p = { .op = *lp_processes_pending(a->processes, local), .known = true };
	if (is_access(&p.op)) {
		p.word = word_at(a, p.op.loc);
		p.second = p.op.size == 16 ? word_at(a, p.op.loc + 8) : p.word;
		p.shift = (uint8_t)(p.op.loc % 8 * 8);
	}
	a->places.at[local] = p;
}

const struct lp_place_of *lp_automaton_place(struct lp_automaton *a, lp_local local)
{
	if (local >= a->places.count || !a->places.at[local].known)
		learn_place(a, local);
	return &a->places.at[local];
}

static struct lp_edge *edge_place(const struct lp_automaton *a, lp_local from,
				  const struct lp_answer *answer)
{
	const uint64_t hash = lp_mix(answer->value.lo * 31 + answer->value.hi * 7 +
				     from * UINT64_C(0x9e3779b97f4a7c15) + answer->failed);
	uint32_t slot = (uint32_t)hash & (a->edge_room - 1);

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
			const struct lp_answer answer = { .value = old[i].value,
							  .failed = old[i].failed };
			*edge_place(a, old[i].from, &answer) = old[i];
		}
	lp_free(old);
}

/* What was written follows from the operation and the value read. */
lp_local lp_automaton_next(struct lp_automaton *a, lp_local from, const struct lp_answer *answer)
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
	}
	return e->to;
}
