/* automaton.h -- what the state explorer remembers of processes and of memory.
 *
 * A process is slow to step (program/process.h), and steps from few local states with few
 * answers: each is taken once.  So native code becomes an automaton, built as it is needed.
 *
 * Memory is the words that processes access, eight bytes each, numbered as they are met.
 * In a state they stand in that order; words beyond its end hold what they held at first.
 */
#ifndef LP_EXPLORE_STATE_AUTOMATON_H
#define LP_EXPLORE_STATE_AUTOMATON_H

#include "base/hash.h"
#include "base/vec.h"
#include "program/process.h"

struct lp_place_of {
	struct lp_op op;
	bool known;
	uint32_t word;  /* of LOAD, STORE, RMW; with 16 bytes the next one is `second` */
	uint32_t second;
	uint8_t shift;  /* in bits */
};

#define LP_NO_SLOT UINT8_MAX

struct lp_word {
	uintptr_t address;
	uint64_t initial;
	bool written; /* by any process, ever */
	bool relied;  /* on that it is not */
	uint8_t slot; /* of the heap that it lies in; LP_NO_SLOT if in none */
};

struct lp_automaton {
	struct lp_processes *processes;
	uint64_t heap_size; /* in bytes; 0 if there is none */
	unsigned slot_shift;
	struct { LP_VEC(struct lp_place_of); } places; /* by local state */
	struct { LP_VEC(struct lp_word); } words;
	uint32_t *word_table, word_room;
	struct lp_edge {
		struct lp_value value;
		lp_local from, to;
		uint8_t failed, used;
	} *edges;
	uint32_t edge_count, edge_room;
	/* Slots by local state, where they are known; and local states that were moved. */
	struct lp_slots_of {
		uint8_t *at;
		uint32_t count;
		bool known;
		lp_local shape; /* what it is if slots are numbered as they come */
	} *slots;
	uint32_t slots_room;
	struct lp_move_of {
		struct lp_fingerprint print; /* of the local state and where its slots go */
		lp_local to;
		bool used;
	} *moves;
	uint32_t move_count, move_room;
};

void lp_automaton_open(struct lp_automaton *, struct lp_processes *);
void lp_automaton_close(struct lp_automaton *);

/* Where a process in that local state is.  Holds until the next call of these two. */
void lp_automaton_learn(struct lp_automaton *, lp_local);
static inline const struct lp_place_of *lp_automaton_place(struct lp_automaton *a, lp_local local)
{
	if (local >= a->places.count || !a->places.at[local].known)
		lp_automaton_learn(a, local);
	return &a->places.at[local];
}
lp_local lp_automaton_next(struct lp_automaton *, lp_local, const struct lp_response *);

/* The number of the word at that address. */
uint32_t lp_automaton_word(struct lp_automaton *, uintptr_t address);
/* The slots that a local state points into; holds until the next call of these. */
const struct lp_slots_of *lp_automaton_slots(struct lp_automaton *, lp_local);
lp_local lp_automaton_moved(struct lp_automaton *, lp_local, const uint8_t *to);
/* The slot that a value points into, or LP_NO_SLOT. */
static inline uint8_t lp_automaton_slot(const struct lp_automaton *a, uint64_t value)
{
	const uint64_t offset = (value & ((UINT64_C(1) << 48) - 1)) - a->processes->heap;

	return (uint8_t)(offset < a->heap_size ? offset >> a->slot_shift : LP_NO_SLOT);
}

#endif
