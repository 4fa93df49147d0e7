/* automaton.h -- native code as an automaton, and memory as numbered words.
 *
 * A step of a process is slow (program/process.h), but there are few local states and few
 * answers.  So each step is executed once, and its result is remembered as an edge of an
 * automaton, which grows as it is needed.
 *
 * Memory consists of the words that processes access.  A word has eight bytes.  Words are numbered in
 * the order in which they are met.  A state stores the words in that order; the words that it does not
 * store have their initial values.
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
	uint32_t word;  /* LOAD, STORE, RMW: the word that is accessed; with 16 bytes, `second` is
	                 * the other word */
	uint32_t second;
	uint8_t shift;  /* the position of the access in its word, in bits */
};

#define LP_NO_SLOT UINT8_MAX

struct lp_word {
	uintptr_t address;
	uint64_t initial;
	bool written; /* some process writes it */
	bool relied;  /* a transition relies on no process writing the word */
	uint8_t read;    /* a bit for each byte: some call reads it */
	uint8_t skipped; /* a bit for each byte: a store to it was left out, because no call reads
	                  * it */
	uint8_t slot; /* the heap slot that contains the word; LP_NO_SLOT if none does */
};

/* How a local state was reached: by a step from the local state `from`, or by renaming the slots into
 * which `from` points. */
struct lp_local_origin {
	lp_local from;
	uint8_t *to; /* the new number of each slot; NULL: the local state was reached by a step */
	struct lp_response answer; /* of the step */
};

struct lp_automaton {
	struct lp_processes *processes;
	/* Local states and words below these numbers have the same numbers in all processes that search
	 * together (shared/README.md).  The other local states have an origin, which is sent to other
	 * processes. */
	uint32_t agreed_locals, agreed_words;
	struct { LP_VEC(struct lp_local_origin); } origins; /* by local state, from agreed_locals on */
	uint32_t locals; /* all numbers of local states are below this one */
	uint64_t heap_size; /* in bytes; 0 if there is no heap */
	unsigned slot_shift;
	struct { LP_VEC(struct lp_place_of); } places; /* by local state */
	struct { LP_VEC(struct lp_word); } words;
	struct lp_hash_index by_address; /* finds words by address */
	/* `edges`, and `moves` below, are hash tables that contain their records, and not a hash_index.h beside an array of records,
	 * because each transition of a search looks up an entry in both. */
	struct lp_edge {
		struct lp_value value;
		lp_local from, to;
		uint8_t failed, used;
	} *edges;
	uint32_t edge_count, edge_room;
	/* By local state: the slots into which it points, if known. */
	struct lp_slots_of {
		uint8_t *at;
		uint32_t count;
		bool known;
		lp_local shape; /* the local state with its slots numbered in their order of appearance */
	} *slots;
	uint32_t slots_room;
	struct lp_seen moves; /* the renamed local state, by the fingerprint of a local state and the new numbers of its slots */
};

void lp_automaton_open(struct lp_automaton *, struct lp_processes *);
void lp_automaton_close(struct lp_automaton *);

/* lp_automaton_place() returns the pending operation of a process in that local state, which
 * lp_automaton_learn() finds out at the first call.  The result is valid until the next call of either
 * function. */
void lp_automaton_learn(struct lp_automaton *, lp_local);
static inline const struct lp_place_of *lp_automaton_place(struct lp_automaton *a, lp_local local)
{
	if (local >= a->places.count || !a->places.at[local].known)
		lp_automaton_learn(a, local);
	return &a->places.at[local];
}
/* The local state after the answer to the pending operation. */
lp_local lp_automaton_next(struct lp_automaton *, lp_local, const struct lp_response *);

/* The number of the word at that address. */
uint32_t lp_automaton_word(struct lp_automaton *, uintptr_t address);
/* The slots into which a local state points.  The result is valid until the next call of this
 * function or of lp_automaton_moved(). */
const struct lp_slots_of *lp_automaton_slots(struct lp_automaton *, lp_local);
/* The local state that this one becomes when each slot s is renamed to[s]. */
lp_local lp_automaton_moved(struct lp_automaton *, lp_local, const uint8_t *to);
/* From now on new local states are identified by their fingerprints, and new words by their addresses,
 * instead of by their numbers. */
void lp_automaton_agree(struct lp_automaton *);
/* A number for a local state, or for a word, that is the same in all processes that search together. */
static inline uint64_t lp_automaton_local_key(const struct lp_automaton *a, lp_local local)
{
	if (local < a->agreed_locals || !a->processes->class->name)
		return local;
	return a->processes->class->name(a->processes, local).a | UINT64_C(1) << 63;
}
/* Does a local state come after another one, in an order that is the same in all processes that
 * search together? */
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
/* The slot into which a value points, or LP_NO_SLOT. */
static inline uint8_t lp_automaton_slot(const struct lp_automaton *a, uint64_t value)
{
	const uint64_t offset = (value & ((UINT64_C(1) << 48) - 1)) - a->processes->heap;

	return (uint8_t)(offset < a->heap_size ? offset >> a->slot_shift : LP_NO_SLOT);
}

#endif
