/* state_search.h -- inside the state explorer: the state of a search, and the functions that its
 * files share. */
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
	LP_PATH_PRINTS = 64,   /* records of the accesses of one path, at most (struct lp_path) */
	LP_BLOCK_WORDS = 32,   /* words of a block of memory, at most */
	LP_MOST_HOPS = 3,      /* the most pointers that are followed before all blocks are kept (state_hops.c) */
	LP_HOP_STAGES = LP_MOST_HOPS + 2,
};

#define LP_NO_WORD UINT32_MAX

/* A state in full.  One word describes a process: 32 bits for its local state, then 8 bits each for
 * the bits that the process has, those that its call gives, and those that the call also gives if
 * its result is not 0 (struct lp_state_call). */
struct lp_snapshot {
	uint32_t set, words; /* `words`: the number of memory words */
	uint64_t w[LP_STATE_PROCESSES + LP_STATE_WORDS];
};

/* States that are still to be visited, by their distance from the first state.  Distances count accesses. */
struct lp_waiting {
	struct lp_distance {
		struct lp_pages pages;
		uint64_t count; /* the number of words */
		uint64_t read;  /* how many of these words were taken from the front */
		uint64_t states;
	} at[LP_PATH_ACCESSES + 1]; /* by distance, as a ring */
	uint32_t distance;          /* the distance of the states that are taken now */
	uint32_t parents;           /* the member `distance` of the keys (below) of new states: 1 + the distance of their
	                             * parents; 0 before keys are needed */
	uint32_t processes;
	struct lp_spill *spill;     /* NULL: the states stay in memory */
};

/* The key by which the states of one distance are ordered.  `distance` is 1 + the distance of the parent; `order` has the place of
 * the parent, and the transition. */
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
	struct { LP_VEC(uint64_t); } left_out; /* a bit for each state: the state is not visited, because a smaller set has
	                                        * displaced its set */
};

/* A state to which a transition has led: how it was reached, and everything except its words. */
struct lp_arrival {
	struct lp_fingerprint print; /* the fingerprint of everything but the set */
	uint32_t set, words;
	struct lp_record record;
	uint32_t accesses; /* how many accesses the transition makes */
	/* For searches by several processes (shared/shared.h): the place of the parent in the order of visits, the peer that visited the
	 * parent, and the distance of this state in transitions. */
	uint32_t peer, depth;
	uint64_t seq;
	uint32_t first;    /* where the state's words begin in lp_arrivals.words */
};

struct lp_arrivals {
	struct { LP_VEC(struct lp_arrival); } heads;
	struct { LP_VEC(uint64_t); } words; /* for each arrival: the words of the processes, then those of memory */
};

/* An operation on the path to a violation. */
struct lp_log {
	struct lp_op op;
	struct lp_response answer;
	uint32_t process;
	lp_local local; /* the local state of the process before the operation */
	bool waits;     /* the process waits at the operation */
};

/* The accesses on the path of a process (state_paths.c): one record, called a print, for each. */
struct lp_path {
	struct lp_print {
		uint32_t word;
		uint8_t level; /* which access of the path it is, from 1 */
		uint8_t bytes; /* a bit for each byte of the word that is accessed */
		bool writes, plain;
	} print[LP_PATH_PRINTS];
	uint32_t prints;
};

/* What the search has learnt about the heap (state_heap.c, state_tidy.c). */
struct lp_search_heap {
	bool used;           /* some slot was ever in use */
	struct {
		bool written; /* some process writes the field while other processes can reach the
		               * block */
		bool relied;  /* a transition relies on the field not being written */
	} fields[LP_BLOCK_WORDS + 1][LP_BLOCK_WORDS]; /* by the size of the block and the place in
	                                               * it */
	struct {
		bool revived; /* a block that was gone (state_heap.h) was written, freed, or made reachable from memory again */
		bool relied;  /* a renaming relies on the fact that this never happens */
	} kinds[LP_BLOCK_WORDS + 1]; /* by size of the block (state_tidy.c) */
	/* Facts about chains of blocks to which memory no longer points (state_hops.c).  followed[0]: there are long chains.
	 * followed[1 + n]: processes follow such chains farther than n pointers. */
	bool followed[LP_HOP_STAGES];
	uint32_t heads[256]; /* by heap slot: the word with its head (state_heap.h) */
	uint32_t bodies[256][LP_BLOCK_WORDS]; /* by heap slot: the words of its block */
	struct { LP_VEC(uint32_t); } outside; /* words that are in no slot */
	uint32_t sorted_out;                  /* how many words were examined to find `outside` */
};

/* The state of the current transition. */
struct lp_search_step {
	uint32_t record, process, branch; /* the record of the state that the transition leaves, the process that makes it, and
	                                   * its index among the transitions of this process */
	uint8_t length[LP_STATE_PROCESSES]; /* by process: the number of accesses of its transition */
	bool learnt;         /* the transition has set a bit that shared/learnt.h lists */
	bool alike[LP_STATE_PROCESSES];     /* by process: the process is in the same situation as the
	                                     * process with the number before */
	uint32_t event;      /* the atoms that hold because of the transition's call or return
	                      * (runs.h) */
	bool ahead;          /* the search only looks ahead, to find out where paths lead; nothing
	                      * is recorded */
	bool too_many;       /* a path has more accesses than LP_PATH_PRINTS, so each path has only one access */
	lp_local passed[LP_PATH_ACCESSES + 1]; /* the local states on the path, by access */
	bool wrote[LP_PATH_ACCESSES + 1];      /* by access: does it write? */
	struct lp_path paths[LP_STATE_PROCESSES];
};

/* Where an error occurred, and the path to it.  The steps of the path are recorded when it is followed again. */
struct lp_search_way {
	struct lp_record last;
	struct { LP_VEC(uint32_t); } path; /* transitions, the last one first */
	uint32_t loop;                     /* how many of these transitions form the cycle */
	uint32_t loop_step;                /* the first step of the cycle */
	bool given;                        /* `path` is complete already */
	bool quiet;   /* an invariant or a tear-down has failed; these run while no process is in a call */
	struct lp_snapshot *alone; /* the copy of a state in which invariants and tear-downs run */
	bool wanted;            /* the path is followed again, and its steps are recorded in `log` */
	uint32_t wanted_branch; /* the index of the process's transition that is on the path; UINT32_MAX: none is */
	bool followed; /* the steps are given, so there was no search, and the violation is not known yet */
	struct { LP_VEC(struct lp_log); } log;
	struct lp_snapshot *found;         /* the state to which the wanted transition has led */
	uint8_t moved[LP_STATE_PROCESSES]; /* the new numbers of the processes in `found` */
	uint8_t names[LP_STATE_PROCESSES]; /* by current number of a process: its original number */
	struct { LP_VEC(struct lp_step); } steps;
	struct lp_step racing[2];          /* if the error is a race: the two pending accesses, as the replay finds them */
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
	struct lp_arrivals arrivals; /* states that were reached, but not looked up yet */
	struct { LP_VEC(struct lp_snapshot *); } rows; /* by depth: the states of the transitions
	                                                * that are being made */
	struct { double start, shown; uint64_t visits; } time;
	struct lp_shared *shared; /* NULL if this process searches alone */
	struct lp_search_step step;
	struct lp_search_heap heap;
	struct lp_search_way way;
	bool wrong;    /* a violation was found, and `way` leads to it */
	bool dropped;  /* a process cannot continue because an assumption is false; this is not an error */
	bool doubted;  /* the monitor has doubts: there may be a violation */
	bool again;    /* something was learnt, so the search must restart */
	bool stopped;
	bool spurious; /* a weak compare-exchange fails spuriously in the current transition */
	struct lp_exact *exact;       /* NULL if states are stored as fingerprints */
	struct lp_state_graph *graph; /* NULL if no property of infinite runs is checked */
	uint32_t looked;              /* the number of states of the graph when it was last searched
	                               * for a cycle */
};

/* Do the two accesses race, if both are pending at the same time? */
static inline bool lp_ops_race(const struct lp_op *a, const struct lp_op *b)
{
	return (a->kind != LP_OP_LOAD || b->kind != LP_OP_LOAD) && a->loc < b->loc + b->size &&
	       b->loc < a->loc + a->size && (a->order == LP_PLAIN || b->order == LP_PLAIN);
}

/* Is to[] a permutation of the numbers from 0 to count - 1? */
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

/* state.c.  lp_search_look() examines a state before its transitions are taken.  lp_search_arrive()
 * brings the state `n`, to which a transition of `accesses` accesses has led, into its normal form,
 * and adds it.  lp_search_begin() makes the first state. */
void lp_search_look(struct lp_state_search *, const struct lp_snapshot *);
void lp_search_arrive(struct lp_state_search *, struct lp_snapshot *n, uint32_t accesses);
void lp_search_begin(struct lp_state_search *, struct lp_snapshot *);
/* Brings the state into its normal form, and returns the fingerprint of everything except the set. */
struct lp_fingerprint lp_search_normal(struct lp_state_search *, struct lp_snapshot *);
/* Can no process take a step from that state, although the specification does not let all of them wait? */
bool lp_search_is_stuck(struct lp_state_search *, const struct lp_snapshot *);
void lp_search_visit(struct lp_state_search *, const struct lp_snapshot *);
bool lp_search_within_limits(struct lp_state_search *);
/* Sets a bit of what was learnt.  If several processes search, the others must be told
 * (shared/learnt.h). */
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
/* state_memory.c: writes a word.  `by_process`: a process writes it, and not a call of
 * state_quiet.c. */
void lp_search_put(struct lp_state_search *, struct lp_snapshot *, uint32_t word, uint64_t value,
		   bool by_process);
/* Returns a bit for each byte that the operation accesses in the first of its words. */
uint8_t lp_search_bytes(const struct lp_place_of *);
/* Records that the operation reads its bytes: stores to these may no longer be left out. */
void lp_search_reads(struct lp_state_search *, const struct lp_place_of *);
/* Performs the read, or the write, of an operation.  If only the calls of state_quiet.c write a
 * word, the word still counts as never written, because no process makes these calls. */
struct lp_value lp_search_read(const struct lp_state_search *, const struct lp_snapshot *,
			       const struct lp_place_of *);
void lp_search_write(struct lp_state_search *, struct lp_snapshot *, const struct lp_place_of *,
		     struct lp_value, bool by_process);

/* state_heap.c: heap blocks.  lp_heap_allows(), lp_heap_alloc() and lp_heap_free() return false if the
 * operation is an error or cannot be performed; then they have ended the search. */
void lp_heap_open(struct lp_state_search *);
bool lp_heap_allows(struct lp_state_search *, const struct lp_snapshot *, const struct lp_op *);
bool lp_heap_alloc(struct lp_state_search *, struct lp_snapshot *, const struct lp_op *,
		   uintptr_t *address);
bool lp_heap_free(struct lp_state_search *, struct lp_snapshot *, const struct lp_op *);
/* Puts the block that the operation allocates into the slot. */
void lp_heap_fill(struct lp_state_search *, struct lp_snapshot *, uint8_t slot, const struct lp_op *);
/* Is the process the only one that points to the block, and does no word of memory outside the block point to it? */
bool lp_heap_is_private(struct lp_state_search *, const struct lp_snapshot *, uint8_t slot,
			uint32_t process);
/* lp_heap_is_fixed(): does the operation read a word of a block that, as far as is known, is never
 * written once other processes can reach the block?  lp_heap_changes() is called for operations that
 * write a word of a block that other processes can reach, or free such a block: it records that the word,
 * or every word of the block, is written. */
bool lp_heap_is_fixed(struct lp_state_search *, const struct lp_snapshot *, const struct lp_op *);
void lp_heap_changes(struct lp_state_search *, const struct lp_snapshot *, const struct lp_op *);
/* To be called when a block is used again: if its head says that the block was gone, records that such
 * blocks are used again. */
void lp_heap_revives(struct lp_state_search *, uint64_t head);
/* state_tidy.c: brings blocks into their normal order, and drops unreachable ones. */
void lp_state_tidy_heap(struct lp_state_search *, struct lp_snapshot *);

/* state_hops.c.  to[] has, for each slot, the slot to which its block moves.  The caller has set to[] of the blocks to which memory
 * leads.  lp_hops_cut() sets to[] of each block that is too far away to be kept, to lp_lost_slot(). */
void lp_hops_cut(struct lp_state_search *, const struct lp_snapshot *, uint8_t *to);
/* lp_hops_reach(): may the operation access or free its block?  lp_hops_may_read(): may a process in that local state read
 * the value?  lp_hops_may_write(): may a process write the value?  If not, blocks were dropped too early: the functions make the
 * search restart, and return false. */
bool lp_hops_reach(struct lp_state_search *, const struct lp_op *);
bool lp_hops_may_read(struct lp_state_search *, lp_local, struct lp_value);
bool lp_hops_may_write(struct lp_state_search *, struct lp_value);

/* state_paths.c: lp_paths_find() decides how far transitions go, and sets s->step.length.  While it
 * looks ahead, lp_path_takes() is called when the path of s->step.process comes to an access, and
 * lp_path_frees() when it comes to a free.  `level` says which access of the path this is, from 1.
 * The functions return true if the path goes on after the access or free. */
void lp_paths_find(struct lp_state_search *, const struct lp_snapshot *);
bool lp_path_takes(struct lp_state_search *, const struct lp_place_of *, lp_local, uint32_t level,
		   bool writes);
bool lp_path_frees(struct lp_state_search *, const struct lp_op *, uint32_t level);
void lp_path_ends(struct lp_state_search *, uint32_t level); /* the path ends at that access, or
                                                              * before it */

/* state_frontier.c.  lp_waiting_push() adds a state with its words and the number of its record.  The state is
 * `further` accesses farther away than the state that was taken last.  The function returns false if the disk is full.
 * lp_waiting_pop() takes a state: with `in_order` one of the current distance, otherwise the one that was
 * added last (then `further` is always 0).  It returns false if there is no such state.  lp_waiting_advance()
 * goes on to the nearest distance that has states; it returns false if there is none. */
bool lp_waiting_push(struct lp_waiting *, const struct lp_arrival *, const uint64_t *words,
		     uint32_t further, uint32_t record);
bool lp_waiting_pop(struct lp_waiting *, bool in_order, struct lp_snapshot *, uint32_t *record);
bool lp_waiting_advance(struct lp_waiting *);
/* For searches by several processes.  lp_waiting_nearest() returns the nearest distance that has states; UINT64_MAX if there is
 * none.  lp_waiting_go_to() goes on to a distance.  After lp_waiting_rewind(), the states of the current distance are taken once
 * more.  lp_waiting_look() returns the keys of these states one after the other; `*position` must be 0 at the first call. */
uint64_t lp_waiting_nearest(const struct lp_waiting *);
void lp_waiting_go_to(struct lp_waiting *, uint32_t distance);
void lp_waiting_rewind(struct lp_waiting *);
bool lp_waiting_look(const struct lp_waiting *, uint64_t *position, struct lp_waiting_key *);
bool lp_waiting_own(struct lp_waiting *); /* calls lp_pages_own() for each distance */
uint64_t lp_waiting_states(const struct lp_waiting *); /* the number of states of the current
                                                        * distance */
void lp_waiting_clear(struct lp_waiting *);
void lp_waiting_close(struct lp_waiting *);

/* state_arrivals.c.  lp_arrivals_push() adds a state that was reached.  lp_arrivals_take() looks up the states
 * that were added so far; those that are new will be visited.  Without `all`, it may leave the states for a
 * later call, when there are more of them. */
void lp_arrivals_push(struct lp_arrivals *, const struct lp_arrival *, const uint64_t *words);
void lp_arrivals_take(struct lp_state_search *, bool all);
/* Adds a new state to the search. */
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

/* state_clocks.c: fills in the clock of each step: what happens before it. */
void lp_search_clocks(struct lp_state_search *, struct lp_step *, uint32_t count);

/* state_levels.c: counts states by their distance in transitions. */
void lp_search_levels(struct lp_state_search *);
/* state_lasso.c: checks an infinite run while it is replayed.  The caller calls lp_endless_begin() in the first state,
 * lp_endless_pass() before each step, and lp_endless_step() after it.  lp_endless_violates() uses only the definitions: is
 * the last state of the cycle equal to the first, and does the property, or the formula, fail on this cycle? */
struct lp_endless {
	/* The following members have a bit for each process.  They say what happens to the process in the cycle.
	 *   took       it takes a step
	 *   returned   its call returns
	 *   idle       it is idle in some state
	 *   owes       in some state it is in a call that must not wait forever (set only under fair schedules) */
	uint32_t took, returned, idle, owes;
	/*   able       it is able (runs.h) in some state
	 *   always     it is able in every state
	 *   barred     it is at a failed assumption in some state */
	uint32_t able, always, barred;
	uint32_t set;                        /* the set before the step */
	struct { LP_VEC(uint32_t); } letters;
	struct lp_snapshot *first;           /* the first state of the cycle */
};
void lp_endless_begin(struct lp_endless *, struct lp_state_search *, const struct lp_snapshot *);
void lp_endless_pass(struct lp_endless *, struct lp_state_search *, const struct lp_snapshot *, uint32_t step);
void lp_endless_step(struct lp_endless *, struct lp_state_search *, const struct lp_snapshot *, uint32_t i, const struct lp_step *);
bool lp_endless_violates(struct lp_endless *, struct lp_state_search *, const struct lp_snapshot *);
void lp_endless_close(struct lp_endless *);

/* state_quiet.c: if no process is in a call, checks the invariants and the tear-downs.  If
 * s->way.wanted, the steps of the tear-downs and invariants are recorded. */
void lp_search_quiet(struct lp_state_search *, const struct lp_snapshot *);

/* Runs the call alone in a copy of the state, and sets its result.  Returns false if the call does not return. */
bool lp_search_ask(struct lp_state_search *, const struct lp_snapshot *, uint32_t call, int64_t *result);

/* state_live.c: returns the atoms of the formula that hold in the state. */
uint32_t lp_search_atoms(struct lp_state_search *, const struct lp_snapshot *);
/* Adds to the graph the state `n`, and the transition that has led to it.  Process i got the number to[i]; `to` is NULL for the first
 * state, to which no transition leads.  Returns false if the graph had the state `n` already. */
bool lp_search_edge(struct lp_state_search *, const struct lp_snapshot *n, struct lp_fingerprint,
		    const uint8_t *to);
/* To be called when all transitions of the process from the state were taken.  `transitions` is their
 * number.  If it is 0, `barred` tells whether the process is at a failed assumption. */
void lp_search_able(struct lp_state_search *, uint32_t process, uint32_t transitions, bool barred);
/* To be called when all transitions from the state were taken: notes whether a run may stay in this state forever. */
void lp_search_stays(struct lp_state_search *);
/* Decides the progress property when the exploration has ended. */
void lp_search_freedom(struct lp_state_search *);
/* From time to time during the exploration, looks for a violation in the graph so far. */
void lp_search_freedom_early(struct lp_state_search *);

/* state_trace.c.  lp_search_stop() ends the search without a verdict. */
void lp_search_stop(struct lp_state_search *, const char *reason);
/* These functions end the search with a violation: an error of the process, a return or linearization point that cannot be correct, and
 * a race.  If the error is a limit of linchpin, lp_search_error() ends the search without a verdict instead. */
void lp_search_error(struct lp_state_search *, const struct lp_program_error *, uint32_t process);
void lp_search_wrong(struct lp_state_search *, const struct lp_op *returns, uint32_t process);
void lp_search_race(struct lp_state_search *, uint32_t process, uint32_t other, const struct lp_op *,
		    const struct lp_op *others);
/* Describes the race in words.  `location` is the name of the memory; NULL: the function names it. */
void lp_search_describe_race(struct lp_state_search *, uint32_t process, uint32_t other, const struct lp_op *,
			     const struct lp_op *others, const char *location);
/* These functions also end the search with a violation: a process that waits forever, and an infinite run that violates the property. */
void lp_search_stuck(struct lp_state_search *, uint32_t process);
void lp_search_goes_on(struct lp_state_search *, const struct lp_lasso *);
/* To be called while the path is followed again, when the wanted transition has led to this state. */
void lp_search_found(struct lp_state_search *, const struct lp_snapshot *, const uint8_t *to);
/* The source line of that address, or NULL. */
const char *lp_search_place(struct lp_state_search *, uintptr_t pc);
/* state_replay.c: replays the steps from the first state, and fills in their effects.  Returns false if the steps
 * cannot be performed, or do not lead to the reported violation. */
bool lp_search_replay(struct lp_state_search *, struct lp_step *steps, uint32_t count);
/* Follows way.path, except its last transition.  `n` becomes the state that is reached. */
void lp_search_go_to(struct lp_state_search *, struct lp_snapshot *n);
/* Fills in the steps, if the search ended with a violation; `n` is scratch space. */
void lp_search_explain(struct lp_state_search *, struct lp_snapshot *n);
/* state_follow.c: takes the steps of options->given instead of searching. */
void lp_search_follow(struct lp_state_search *);
/* Replays s->way.steps, and describes them. */
void lp_search_describe(struct lp_state_search *);

#endif
