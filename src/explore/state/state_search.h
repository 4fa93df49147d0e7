/* state_search.h -- inside the state explorer: the search, its frontier, its explanation. */
#ifndef LP_EXPLORE_STATE_STATE_SEARCH_H
#define LP_EXPLORE_STATE_STATE_SEARCH_H

#include "base/hash.h"
#include "explore/state/automaton.h"
#include "explore/state/live/freedom.h"
#include "explore/state/live/runs.h"
#include "explore/state/state.h"
#include "explore/state/state_exact.h"
#include "explore/state/live/state_graph.h"
#include "explore/state/visited/antichains.h"

enum {
	LP_STATE_WORDS = 8192, /* words of memory, at most */
	LP_STATE_DEPTH = 1000, /* operations of one transition, at most */
	LP_PATH_ACCESSES = 24, /* accesses of one transition, at most */
	LP_PATH_PRINTS = 64,
	LP_BLOCK_WORDS = 32,   /* words of a block of memory, at most */
	LP_MOST_HOPS = 3,      /* the most pointers that are followed before all blocks are kept (state_hops.c) */
	LP_HOP_STAGES = LP_MOST_HOPS + 2,
};

#define LP_NO_WORD UINT32_MAX

/* A state in full.  A process is its local state, then the bits that it has, then those
 * that its call gives, and gives if it is true: 32, 8, 8 and 8 bits. */
struct lp_snapshot {
	uint32_t set, words; /* of memory */
	uint64_t w[LP_STATE_PROCESSES + LP_STATE_WORDS];
};

/* States that are still to be visited, by their distance from the first state in accesses. */
struct lp_waiting {
	struct lp_distance {
		struct lp_pages pages;
		uint64_t count; /* the number of words */
		uint64_t read;  /* how many of these words were taken from the front */
		uint64_t states;
	} at[LP_PATH_ACCESSES + 1]; /* by distance, as a ring */
	uint32_t distance;          /* the distance of the states that are taken now */
	uint32_t parents;           /* the same for keys: 1 + distance; 0 for all states that were added before keys were needed */
	uint32_t processes;
	struct lp_spill *spill;     /* NULL: they stay in memory */
};

/* The order of the states of one distance: by the distance of the parent, then by the parent's place and the transition. */
struct lp_waiting_key {
	uint64_t distance, order;
};

/* How a state was reached: its parent, and the process and index of the transition. */
struct lp_record {
	uint32_t from, way;
};

struct lp_records {
	struct lp_pages pages;
	uint32_t count;
	struct { LP_VEC(uint64_t); } left_out; /* by state, a bit: it is not visited, since a smaller set displaced its own */
};

/* A state that a transition led to: how it was reached, and everything but its words. */
struct lp_arrival {
	struct lp_fingerprint print; /* the fingerprint of everything but the set */
	uint32_t set, words;
	struct lp_record record;
	uint32_t accesses; /* how many accesses the transition makes */
	/* For searches by several processes (shared/shared.h): the place of the state it comes from in the order of visits, the peer that
	 * visited that, and its own distance in transitions. */
	uint32_t peer, depth;
	uint64_t seq;
	uint32_t first;    /* where its words begin in lp_arrivals.words */
};

struct lp_arrivals {
	struct { LP_VEC(struct lp_arrival); } heads;
	struct { LP_VEC(uint64_t); } words; /* for each arrival: the words of the processes, then those of memory */
};

struct lp_log {
	struct lp_op op;
	struct lp_response answer;
	uint32_t process;
	lp_local local; /* the process's local state before it */
	bool waits;
};

/* The accesses on the path of a process (state_paths.c). */
struct lp_path {
	struct lp_print {
		uint32_t word;
		uint8_t level; /* which access of the path it is, from 1 */
		uint8_t bytes; /* which bytes of the word, a bit each */
		bool writes, plain;
	} print[LP_PATH_PRINTS];
	uint32_t prints;
};

/* The heap, as far as the search has learnt of it (state_heap.c, state_tidy.c). */
struct lp_search_heap {
	bool used;           /* some slot was ever in use */
	struct {
		bool written; /* some process writes it while other processes can reach the block */
		bool relied;  /* a transition relies on the fact that it is not written */
	} fields[LP_BLOCK_WORDS + 1][LP_BLOCK_WORDS]; /* by size of the block, and place in it */
	struct {
		bool revived; /* a block that was gone is written, freed, or reachable again */
		bool relied;  /* a renaming relies on the fact that there is no such block */
	} kinds[LP_BLOCK_WORDS + 1]; /* by size of the block (state_tidy.c) */
	/* 0: chains of blocks that memory has left behind are long; 1 + n: processes follow them farther than n pointers
	 * (state_hops.c). */
	bool followed[LP_HOP_STAGES];
	uint32_t heads[256]; /* by heap slot: the word with its head (state_heap.h) */
	uint32_t bodies[256][LP_BLOCK_WORDS]; /* by heap slot: the words of its block */
	struct { LP_VEC(uint32_t); } outside; /* words that are in no slot */
	uint32_t sorted_out;                  /* how many words were examined to find those */
};

/* The transition that is being made. */
struct lp_search_step {
	uint32_t record, process, branch;
	uint8_t length[LP_STATE_PROCESSES]; /* by process: the number of accesses of its transition */
	bool learnt;         /* it has taught something (shared/learnt.h) */
	bool alike[LP_STATE_PROCESSES];     /* the process is in the situation of the one before */
	uint32_t event;      /* the atoms that hold because of its call or return (runs.h) */
	bool ahead;          /* nothing counts: the search only looks where paths lead */
	bool too_many;       /* there are too many accesses to keep: paths are short */
	lp_local passed[LP_PATH_ACCESSES + 1]; /* the local states on the path, access by access */
	bool wrote[LP_PATH_ACCESSES + 1];
	struct lp_path paths[LP_STATE_PROCESSES];
};

/* The state in which an error occurred, and the path to it, found by a replay. */
struct lp_search_way {
	struct lp_record last;
	struct { LP_VEC(uint32_t); } path; /* transitions, the last one first */
	uint32_t loop;                     /* the number of them that form the cycle */
	uint32_t loop_step;                /* the first step of the cycle */
	bool given;                        /* the path is complete already */
	bool quiet;   /* it occurred while no process was in a call */
	struct lp_snapshot *alone; /* for the calls made then */
	bool wanted;
	uint32_t wanted_branch;
	bool followed; /* the steps are given: nothing was searched, and what is wrong is still to be decided */
	struct { LP_VEC(struct lp_log); } log;
	struct lp_snapshot *found;
	uint8_t moved[LP_STATE_PROCESSES];
	uint8_t names[LP_STATE_PROCESSES]; /* original numbers of the processes, by their current ones */
	struct { LP_VEC(struct lp_step); } steps;
	struct lp_step racing[2];          /* if the error is a race: the accesses that are both next, as the replay finds them */
	struct { LP_VEC(lp_local); } locals; /* by step */
};

struct lp_shared;

struct lp_state_search {
	const struct lp_state_options *options;
	const struct lp_state_monitor *monitor;
	struct lp_arena *arena;
	struct lp_exploration *out;
	struct lp_state_counts *counts;
	struct lp_automaton a;
	struct lp_antichains visited;
	struct lp_records records;   /* by state, in the order of discovery */
	struct lp_waiting waiting;
	struct lp_arrivals arrivals; /* states that were reached, and not looked up yet */
	struct { LP_VEC(struct lp_snapshot *); } rows; /* for transitions under way, by depth */
	struct { double start, shown; uint64_t visits; } time;
	struct lp_shared *shared; /* NULL if this process searches alone */
	struct lp_search_step step;
	struct lp_search_heap heap;
	struct lp_search_way way;
	bool wrong;    /* something is: `way` leads there */
	bool dropped;  /* a process can go no further because an assumption does not hold, which is no error */
	bool doubted;  /* by the monitor: something may be wrong */
	bool again;    /* something was learnt: all from the beginning */
	bool stopped;
	bool spurious; /* a weak compare-exchange fails for no reason on the way */
	struct lp_exact *exact;       /* NULL if fingerprints will do */
	struct lp_state_graph *graph; /* NULL if it is not asked what goes on forever */
	uint32_t looked;              /* how many states it had when a cycle was last searched for */
};

/* Do the two accesses race, if both are pending at the same time? */
static inline bool lp_ops_race(const struct lp_op *a, const struct lp_op *b)
{
	return (a->kind != LP_OP_LOAD || b->kind != LP_OP_LOAD) && a->loc < b->loc + b->size &&
	       b->loc < a->loc + a->size && (a->order == LP_PLAIN || b->order == LP_PLAIN);
}

/* Has each of the processes a place of its own? */
static inline bool lp_is_permutation(const uint8_t *to, uint32_t count)
{
	uint64_t taken = 0;

	for (uint32_t i = 0; i < count; i++)
		taken |= to[i] < count ? UINT64_C(1) << to[i] : 0;
	return taken == (UINT64_C(1) << count) - 1;
}

static inline lp_local lp_local_of(const struct lp_snapshot *n, uint32_t process)
{
	return (lp_local)n->w[process];
}

static inline void lp_set_local(struct lp_snapshot *n, uint32_t process, lp_local local)
{
	n->w[process] = (n->w[process] & ~(uint64_t)UINT32_MAX) | local;
}

static inline bool lp_process_is_idle(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t process)
{
	return lp_automaton_place(&s->a, lp_local_of(n, process))->op.kind == LP_OP_CALL;
}

/* state.c: examines a state, before its transitions are taken; adds the state `n`, which a transition
 * of so many accesses leads to, and brings it into its normal form; makes the first state. */
void lp_search_look(struct lp_state_search *, const struct lp_snapshot *);
void lp_search_arrive(struct lp_state_search *, struct lp_snapshot *n, uint32_t accesses);
void lp_search_begin(struct lp_state_search *, struct lp_snapshot *);
/* Brings the state into its normal form, and returns the fingerprint of everything but the set. */
struct lp_fingerprint lp_search_normal(struct lp_state_search *, struct lp_snapshot *);
/* Can no process take a step from that state, although the specification does not let all of them wait? */
bool lp_search_is_stuck(struct lp_state_search *, const struct lp_snapshot *);
void lp_search_visit(struct lp_state_search *, const struct lp_snapshot *);
bool lp_search_within_limits(struct lp_state_search *);
/* A bit that other processes must know of, if there are any (shared/learnt.h). */
static inline void lp_search_learn(struct lp_state_search *s, bool *bit)
{
	s->step.learnt |= !*bit;
	*bit = true;
}
struct lp_fingerprint lp_search_fingerprint(const struct lp_state_search *, const struct lp_snapshot *);

/* state_step.c: takes every transition of a process from a state. */
void lp_search_process(struct lp_state_search *, const struct lp_snapshot *, uint32_t process);
bool lp_state_may_call(const struct lp_state_search *, const struct lp_snapshot *, uint32_t process,
		 const struct lp_state_call *);

static inline uint64_t lp_search_word(const struct lp_state_search *s, const struct lp_snapshot *n,
				      uint32_t word)
{
	return word < n->words ? n->w[LP_STATE_PROCESSES + word] : s->a.words.at[word].initial;
}
/* state_memory.c: writes a word; `by_process`: a process does. */
void lp_search_put(struct lp_state_search *, struct lp_snapshot *, uint32_t word, uint64_t value,
		   bool by_process);
/* The bytes of its first word that the operation accesses, a bit each. */
uint8_t lp_search_bytes(const struct lp_place_of *);
/* The operation reads: stores to these bytes may no longer be left out. */
void lp_search_reads(struct lp_state_search *, const struct lp_place_of *);
/* Performs the read, or the write, of an operation.  A word that is only written by the calls of
 * state_quiet.c, which are not made by a process, still counts as never written. */
struct lp_value lp_search_read(const struct lp_state_search *, const struct lp_snapshot *,
			       const struct lp_place_of *);
void lp_search_write(struct lp_state_search *, struct lp_snapshot *, const struct lp_place_of *,
		     struct lp_value, bool by_process);

/* state_heap.c: blocks.  False if the access or the free is an error, which ends the search. */
void lp_heap_open(struct lp_state_search *);
bool lp_heap_allows(struct lp_state_search *, const struct lp_snapshot *, const struct lp_op *);
bool lp_heap_alloc(struct lp_state_search *, struct lp_snapshot *, const struct lp_op *,
		   uintptr_t *address);
bool lp_heap_free(struct lp_state_search *, struct lp_snapshot *, const struct lp_op *);
/* Puts the block that the operation allocates into the slot. */
void lp_heap_fill(struct lp_state_search *, struct lp_snapshot *, uint8_t slot, const struct lp_op *);
/* Does only that process point to the block? */
bool lp_heap_is_private(struct lp_state_search *, const struct lp_snapshot *, uint8_t slot,
			uint32_t process);
/* lp_heap_is_fixed(): does the operation read a word of a block that is never written once other
 * processes can reach the block?  lp_heap_changes() records the opposite: the operation writes such a
 * word, or frees the block. */
bool lp_heap_is_fixed(struct lp_state_search *, const struct lp_snapshot *, const struct lp_op *);
void lp_heap_changes(struct lp_state_search *, const struct lp_snapshot *, const struct lp_op *);
/* A block that was gone, according to its head, is in use again. */
void lp_heap_revives(struct lp_state_search *, uint64_t head);
/* state_tidy.c: brings blocks into their normal order, and drops unreachable ones. */
void lp_state_tidy_heap(struct lp_state_search *, struct lp_snapshot *);

/* state_hops.c: sets to[] of blocks that are too far away to be kept to the slot of lost ones. to[] of blocks
 * that memory leads to is already set. */
void lp_hops_cut(struct lp_state_search *, const struct lp_snapshot *, uint8_t *to);
/* May the operation access or free its block, and read or write the value?  If not, blocks were lost too early: the
 * search restarts. */
bool lp_hops_reach(struct lp_state_search *, const struct lp_op *);
bool lp_hops_may_read(struct lp_state_search *, lp_local, struct lp_value);
bool lp_hops_may_write(struct lp_state_search *, struct lp_value);

/* state_paths.c: how far transitions go, for s->step.length; and, while looking ahead, whether the
 * path of s->step.process goes on with an access as its `level`-th, or with a free. */
void lp_paths_find(struct lp_state_search *, const struct lp_snapshot *);
bool lp_path_takes(struct lp_state_search *, const struct lp_place_of *, lp_local, uint32_t level,
		   bool writes);
bool lp_path_frees(struct lp_state_search *, const struct lp_op *, uint32_t level);
void lp_path_ends(struct lp_state_search *, uint32_t level); /* there, at the latest */

/* state_frontier.c: adds a state with its words and the number of its record; it is `further` accesses
 * away than the state that was taken last; false if the disk is full.  If `in_order`, a state of the current
 * distance is taken, and lp_waiting_advance() goes on to the nearest distance that has any; otherwise (then
 * `further` is always 0) the one added last is taken. */
bool lp_waiting_push(struct lp_waiting *, const struct lp_arrival *, const uint64_t *words,
		     uint32_t further, uint32_t record);
bool lp_waiting_pop(struct lp_waiting *, bool in_order, struct lp_snapshot *, uint32_t *record);
bool lp_waiting_advance(struct lp_waiting *);
/* For searches by several processes: the nearest distance that has states, or UINT64_MAX; to go there; to take its states once
 * more; and their keys, from position 0 on. */
uint64_t lp_waiting_nearest(const struct lp_waiting *);
void lp_waiting_go_to(struct lp_waiting *, uint32_t distance);
void lp_waiting_rewind(struct lp_waiting *);
bool lp_waiting_look(const struct lp_waiting *, uint64_t *position, struct lp_waiting_key *);
bool lp_waiting_own(struct lp_waiting *); /* lp_pages_own() */
uint64_t lp_waiting_states(const struct lp_waiting *); /* of the distance */
void lp_waiting_clear(struct lp_waiting *);
void lp_waiting_close(struct lp_waiting *);

/* state_arrivals.c: adds a state that was reached, and looks up those added so far: new ones are going to be
 * visited.  Unless `all`, that may wait for more. */
void lp_arrivals_push(struct lp_arrivals *, const struct lp_arrival *, const uint64_t *words);
void lp_arrivals_take(struct lp_state_search *, bool all);
/* A state that is new. */
void lp_search_add(struct lp_state_search *, const struct lp_arrival *, const uint64_t *words);
/* From now on, displaced states are not visited any more. */
void lp_search_leave_out(struct lp_state_search *);
static inline bool lp_search_leaves_out(const struct lp_state_search *s, uint32_t record)
{
	return record / 64 < s->records.left_out.count && s->records.left_out.at[record / 64] >> record % 64 & 1;
}
static inline struct lp_record lp_search_record(const struct lp_state_search *s, uint32_t state)
{
	return ((const struct lp_record *)s->records.pages.at)[state];
}

/* state_clocks.c: fills in, for each step, what happens before it. */
void lp_search_clocks(struct lp_state_search *, struct lp_step *, uint32_t count);

/* state_levels.c: counts states by their distance in transitions. */
void lp_search_levels(struct lp_state_search *);
/* state_lasso.c: a run that goes on forever, as it is replayed.  begin() in its first state; pass() before each step, step()
 * after it.  The answer of violates() rests on the definitions alone: the last state of the cycle is its first, and the
 * cycle is such that the property, or the formula, does not hold. */
struct lp_endless {
	uint32_t took, returned, idle, owes; /* in the cycle; a bit for each process */
	uint32_t able, always, barred;       /* in some state of the cycle, in every state of it; at a failed assumption */
	uint32_t set;                        /* the set before the step */
	struct { LP_VEC(uint32_t); } letters;
	struct lp_snapshot *first;           /* the first state of the cycle */
};
void lp_endless_begin(struct lp_endless *, struct lp_state_search *, const struct lp_snapshot *);
void lp_endless_pass(struct lp_endless *, struct lp_state_search *, const struct lp_snapshot *, uint32_t step);
void lp_endless_step(struct lp_endless *, struct lp_state_search *, const struct lp_snapshot *, uint32_t i, const struct lp_step *);
bool lp_endless_violates(struct lp_endless *, struct lp_state_search *, const struct lp_snapshot *);
void lp_endless_close(struct lp_endless *);

/* state_quiet.c: if no process is in a call, checks the invariants and the tear-down; if s->wanted,
 * their steps are recorded. */
void lp_search_quiet(struct lp_state_search *, const struct lp_snapshot *);

/* Runs the call alone in a copy of the state; false if it does not return. */
bool lp_search_ask(struct lp_state_search *, const struct lp_snapshot *, uint32_t call, int64_t *result);

/* state_live.c: the atoms of the formula that hold in the state. */
uint32_t lp_search_atoms(struct lp_state_search *, const struct lp_snapshot *);
/* Adds the transition to `n` to the graph.  False if `n` was already there. */
bool lp_search_edge(struct lp_state_search *, const struct lp_snapshot *n, struct lp_fingerprint,
		    const uint8_t *to);
/* All transitions of the process from the state were taken, and this is their number.  If there is none,
 * `barred` says that it is at a failed assumption. */
void lp_search_able(struct lp_state_search *, uint32_t process, uint32_t transitions, bool barred);
/* All transitions from the state were taken; `went` says whether there was one.  Notes whether a run may stay here forever. */
void lp_search_stays(struct lp_state_search *, bool went);
/* Decides the progress property when the exploration has ended. */
void lp_search_freedom(struct lp_state_search *);
/* From time to time during the exploration, looks for a violation in the graph so far. */
void lp_search_freedom_early(struct lp_state_search *);

/* state_trace.c: these end the search, because of what the process is about to do. */
void lp_search_stop(struct lp_state_search *, const char *reason);
void lp_search_error(struct lp_state_search *, const struct lp_program_error *, uint32_t process);
void lp_search_wrong(struct lp_state_search *, const struct lp_op *returns, uint32_t process);
void lp_search_race(struct lp_state_search *, uint32_t process, uint32_t other, const struct lp_op *,
		    const struct lp_op *others);
/* Describes the race in words.  `location` names the memory; NULL: it is described here. */
void lp_search_describe_race(struct lp_state_search *, uint32_t process, uint32_t other, const struct lp_op *,
			     const struct lp_op *others, const char *location);
void lp_search_stuck(struct lp_state_search *, uint32_t process);
void lp_search_goes_on(struct lp_state_search *, const struct lp_lasso *);
/* While the path is followed again: the wanted transition leads to this state. */
void lp_search_found(struct lp_state_search *, const struct lp_snapshot *, const uint8_t *to);
/* The source line of that address, or NULL. */
const char *lp_search_place(struct lp_state_search *, uintptr_t pc);
/* state_replay.c: replays the steps from the first state, and fills in their effects.  False if they
 * cannot be performed, or do not lead to the reported violation. */
bool lp_search_replay(struct lp_state_search *, struct lp_step *steps, uint32_t count);
/* Follows way.path, but for its last transition, to the state `n`. */
void lp_search_go_to(struct lp_state_search *, struct lp_snapshot *n);
/* Fills in the steps, if the search ended with a violation; `n` is scratch space. */
void lp_search_explain(struct lp_state_search *, struct lp_snapshot *n);
/* state_follow.c: does the steps of options->given instead of a search. */
void lp_search_follow(struct lp_state_search *);
/* Replays s->way.steps, and describes them. */
void lp_search_describe(struct lp_state_search *);

#endif
