/* automaton.h -- native code as an automaton, and memory as numbered words.
 *
 * A step of a process is slow (program/process.h), but there are few local states and few
 * answers.  So each step is executed once, and its result is remembered as an edge of an
 * automaton, which grows as it is needed.
 *
 * Memory is the words that processes access, eight bytes each, numbered in the order in which
 * they are met.  A state has the words in that order; words beyond its end have their initial values.
 */
#ifndef LP_EXPLORE_STATE_AUTOMATON_H
#define LP_EXPLORE_STATE_AUTOMATON_H

#include "base/hash.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "explore/graph/seen.h"
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
	bool written; /* some process writes it */
	bool relied;  /* a transition relies on that no process writes it */
	uint8_t read;    /* its bytes, a bit each: some call reads them */
	uint8_t skipped; /* stores to these were left out, because no call reads them */
	uint8_t slot; /* the heap slot that it lies in; LP_NO_SLOT if none */
};

/* How a local state came about: by a step, or because the slots it points into were renamed. */
struct lp_local_origin {
	lp_local from;
	uint8_t *to; /* the new slots, by slot; NULL: by a step */
	struct lp_response answer;
};

struct lp_automaton {
	struct lp_processes *processes;
	/* Local states and words below these numbers have the same numbers in all processes that search
	 * together (shared/README.md).  How the other local states came about is kept, to be told. */
	uint32_t agreed_locals, agreed_words;
	struct { LP_VEC(struct lp_local_origin); } origins; /* by local state, from agreed_locals on */
	uint32_t locals; /* all numbers are below */
	uint64_t heap_size; /* in bytes; 0 if there is none */
	unsigned slot_shift;
	struct { LP_VEC(struct lp_place_of); } places; /* by local state */
	struct { LP_VEC(struct lp_word); } words;
	struct lp_hash_index by_address; /* of words */
	/* A table in one piece, not a hash_index.h with records beside it: each transition of a search looks up one. */
	struct lp_edge {
		struct lp_value value;
		lp_local from, to;
		uint8_t failed, used;
	} *edges;
	uint32_t edge_count, edge_room;
	/* The slots that a local state points into, if known; and renamed local states. */
	struct lp_slots_of {
		uint8_t *at;
		uint32_t count;
		bool known;
		lp_local shape; /* the local state with its slots numbered in their order of appearance */
	} *slots;
	uint32_t slots_room;
	struct lp_seen moves; /* by the fingerprint of a local state and where its slots go: the renamed local state */
};

void lp_automaton_open(struct lp_automaton *, struct lp_processes *);
void lp_automaton_close(struct lp_automaton *);

/* The pending operation of a process in that local state.  Valid until the next call of these two. */
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
/* The slots that a local state points into; valid until the next call of these. */
const struct lp_slots_of *lp_automaton_slots(struct lp_automaton *, lp_local);
lp_local lp_automaton_moved(struct lp_automaton *, lp_local, const uint8_t *to);
/* Local states and words that are met from now on are identified by what they are, not by their numbers. */
void lp_automaton_agree(struct lp_automaton *);
/* A number for a local state, or for a word, that is the same in all processes that search together. */
static inline uint64_t lp_automaton_local_key(const struct lp_automaton *a, lp_local local)
{
	if (local < a->agreed_locals || !a->processes->class->name)
		return local;
	return a->processes->class->name(a->processes, local).a | UINT64_C(1) << 63;
}
/* Does a local state come after another one, in an order that is the same in all of them? */
static inline bool lp_automaton_comes_after(const struct lp_automaton *a, lp_local local, lp_local other)
{
	struct lp_processes *p = a->processes;

	if (local < a->agreed_locals || other < a->agreed_locals || !p->class->name)
		return local > other;
	const uint64_t x = p->class->rank(p, local), y = p->class->rank(p, other);
	return x != y ? x > y : lp_automaton_local_key(a, local) > lp_automaton_local_key(a, other);
}
static inline uint64_t lp_automaton_word_key(const struct lp_automaton *a, uint32_t word)
{
	return word < a->agreed_words ? word : a->words.at[word].address | UINT64_C(1) << 63;
}
/* The slot that a value points into, or LP_NO_SLOT. */
static inline uint8_t lp_automaton_slot(const struct lp_automaton *a, uint64_t value)
{
	const uint64_t offset = (value & ((UINT64_C(1) << 48) - 1)) - a->processes->heap;

	return (uint8_t)(offset < a->heap_size ? offset >> a->slot_shift : LP_NO_SLOT);
}

#endif
