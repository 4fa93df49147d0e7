/* lockstep.h -- keeps a program in step with an execution graph.
 *
 * The explorer changes graphs; the machine (struct lp_machine) brings the program to the state that
 * a graph describes.  An execution is a sequence of completed operations, each named by the uid of
 * its first event; equal sequences of uids mean equal states.  When the graph has changed, its sequence of operations and the
 * sequence that the program has performed have a common prefix.  The machine
 * restores the last state that was saved on this prefix, and performs the remaining
 * operations of the graph.  The machine may save a state before a choice, and a state to which it has gone back.  It does so only if saving is
 * cheaper than performing the operations again.  The state of the race detector is saved and restored together with that of the program.
 */
#ifndef LP_EXPLORE_GRAPH_LOCKSTEP_H
#define LP_EXPLORE_GRAPH_LOCKSTEP_H

#include "explore/graph/mixed_sizes.h"
#include "explore/graph/plains.h"
#include "explore/ops.h"
#include "explore/reduce/final_joins.h"
#include "explore/reduce/omitted_races.h"
#include "explore/reduce/facts/own.h"
#include "explore/reduce/like_threads.h"
#include "explore/trail.h"
#include "graph/graph.h"
#include "model/race.h"
#include "program/program.h"

/* Operations in the order in which they are performed.  Each is represented by its first event. */
struct lp_sequence {
	LP_VEC(lp_eid);
};

struct lp_machine_save {
	uint32_t at;      /* how many operations were performed */
	uint32_t mark;    /* the mark of the program's saved state */
	size_t race_mark;
	uint32_t done;    /* index into lp_machine.done_saved */
	uint32_t own, plains; /* these and `active`: how many entries the list of that name in lp_machine had */
	uint32_t active;
};

/* After its first `index` events, and before its next event, the thread did things that are not operations: plain accesses,
 * allocations or frees. */
struct lp_activity {
	lp_tid thread;
	uint32_t index;
	bool only_reads; /* all of these were accesses to the thread's own stack, or reads of memory that other threads may
	                  * know */
	bool stack;      /* the thread accessed its own stack */
};

/* For a thread that counts as like earlier ones (like_threads.h), although their parent made plain accesses, allocations or frees
 * between the starts of these threads: `first` is the number of the parent's events up to and including the start of the first of
 * these threads, and [given, given+room) is the argument that only this thread was given.  For all other threads `first` is
 * 0. */
struct lp_like {
	uint32_t first;
	uintptr_t given;
	size_t room;
};

/* What a thread did after the last answer of a trial (lp_machine_try()), up to its next operation that gets an answer. */
struct lp_tried {
	uint32_t plains;   /* the index in the log at which the thread's plain accesses begin */
	uint64_t observed; /* the number of plain accesses, and of blocks allocated or freed */
	uint64_t noise;    /* the number of plain writes, and of requests other than the next operation */
	uint64_t fences;   /* a hash of the fences that the thread performed; 0: none */
};

struct lp_helping_facts;

struct lp_machine {
	struct lp_observer observer; /* must be the first member: the program calls the machine
	                              * through it */
	struct lp_program *program;
	struct lp_ops *ops;
	struct lp_race *race;
	struct lp_own own;
	struct lp_plains plains;
	struct lp_final_joins final_joins;
	struct lp_omitted omitted;
	struct lp_trail *trail;                       /* where plain accesses are noted (trail.h), or NULL */
	struct lp_helping_facts *helping;             /* where frees are noted (helping.h), or NULL */
	bool races_ignored;
	struct { LP_VEC(uint64_t); } performed;       /* the operations performed, by uid */
	struct { LP_VEC(struct lp_machine_save); } saves;
	struct { LP_VEC(uint32_t); } done;            /* by thread: how many events it has performed */
	struct { LP_VEC(uint32_t); } done_saved;
	struct { LP_VEC(struct lp_activity); } active;
	struct {
		LP_VEC(struct lp_like);               /* by thread */
		struct lp_like_facts *facts;
		struct lp_like_joined joined;
	} like;
	uint64_t *atomic_filter;                      /* a filter of the granules of memory that were
	                                               * accessed atomically in any execution */
	const struct lp_graph *graph;                 /* set while operations are performed */
	struct lp_program_error error;
	lp_tid error_thread;
	struct lp_op yields;                          /* the error that is the pending operation of a thread that yields
	                                               * without end */
	struct { LP_VEC(struct lp_op *); } stores;    /* by thread: the RMW into which lp_mixed_store() has turned
	                                               * the thread's pending store; or NULL */
	struct {
		uint64_t all;                         /* the number of plain accesses, and of blocks allocated or
		                                       * freed, so far */
		uint64_t since;                       /* the same number since a state was last saved or restored */
	} observed;
	bool faults;                                  /* some thread may be at an error.  The machine sets this when a thread comes
	                                               * to an error, and the explorer clears it when no thread is at one.  At that
	                                               * moment no saved state has a thread at an error: saved states precede the
	                                               * current state, and a thread that is at an error stays there */
};

/* Opens a machine.  With `own`, it tracks the threads' own memory (own.h). */
void lp_machine_open(struct lp_machine *, struct lp_program *, struct lp_ops *,
		     bool races_ignored, bool own);
void lp_machine_close(struct lp_machine *);

/* Brings the program to the state after the operations of `seq` in `g`.  The caller knows that the first `agree` of these operations have already
 * been performed.  Returns false if an operation is an error (a race with an atomic access); `error` then describes it. */
bool lp_machine_follow(struct lp_machine *, const struct lp_graph *g,
		       const struct lp_sequence *seq, uint32_t agree);

/* A trial: after the first `at` operations of the sequence, the thread gets these answers. */
struct lp_to_try {
	uint32_t at;
	lp_tid thread;
	const struct lp_response *answers;
	uint32_t count; /* how many answers there are */
	bool reached;   /* some execution of the program does what the trial does, so code that the trial reaches
	                 * counts as reached (--coverage) */
	uint32_t done;  /* if not 0: the first answer replaces the answer to an operation in the graph, after which the
	                 * thread has `done` events.  What the thread then does is checked for races with the happens-before
	                 * past that the thread has in the graph after these events */
};

/* Takes the program back to the state after the first `at` operations of the sequence, and resumes
 * the thread with the answers, one after the other.  Returns the thread's next operation.  Returns NULL if on the
 * way the thread made a plain access, or requested anything other than an operation that gets such an answer.  If `trial` is not NULL,
 * accesses and requests are allowed after the last answer, and are recorded in `*trial`.
 * Afterwards the program is in a state that no graph describes, and lp_machine_follow() must bring it
 * back, with `agree` at most `at`. */
const struct lp_op *lp_machine_try(struct lp_machine *, const struct lp_graph *g, const struct lp_sequence *seq,
				   const struct lp_to_try *, struct lp_tried *trial);

/* The length of the common prefix of `seq` and the operations that the program has performed. */
uint32_t lp_machine_agree(const struct lp_machine *, const struct lp_graph *g,
			  const struct lp_sequence *seq);

/* Are the performed operations the first ones of `seq`, and does `done` count exactly the events of these operations?  For debug builds
 * (frame_validate.c). */
bool lp_machine_validate(const struct lp_machine *, const struct lp_graph *g, const struct lp_sequence *seq);

/* Lets the thread pass its yields, and returns its next other operation.  A yield is not an event, and its answer
 * carries no information. */
const struct lp_op *lp_machine_pass_yields(struct lp_machine *, lp_tid);

static inline const struct lp_op *lp_machine_pending(struct lp_machine *m, lp_tid thread)
{
	const struct lp_op *op = lp_program_pending(m->program, thread);

	if (op->kind == LP_OP_YIELD)
		op = lp_machine_pass_yields(m, thread);
	return op->kind == LP_OP_STORE && m->ops->parts ? lp_mixed_store(m, thread, op) : op;
}

/* Is the thread's pending operation the one with number `op`, which is its operation at this place in the graph?  If not, the
 * program violates P1 of program.h: its behaviour is not a function of the answers that it gets.  Such a program cannot be
 * explored, and `error` says so. */
bool lp_machine_is_at(struct lp_machine *, lp_tid, uint32_t op);

/* Records that [loc, loc+size) is a location of the graph: plain accesses to it may become events. */
void lp_machine_note(struct lp_machine *, uintptr_t loc, size_t size);

/* Returns false only if [loc, loc+size) overlaps with no location of this graph or an earlier one.  If it returns true, there may or may
 * not be such a location. */
bool lp_machine_was_atomic(const struct lp_machine *, uintptr_t loc, size_t size);

/* Has the thread done nothing but perform operations, after its first `from` events and up to the
 * operation that follows its first `to` events?  The thread must have reached that operation. */
bool lp_machine_is_quiet(const struct lp_machine *, lp_tid, uint32_t from, uint32_t to);
/* What the thread did after its first `index` events, before its next operation; NULL: nothing. */
const struct lp_activity *lp_machine_activity(const struct lp_machine *, lp_tid, uint32_t index);

/* To be called when the explorer will return to the current state.  Saves the state if that is cheaper than performing the
 * operations again. */
void lp_machine_keep(struct lp_machine *);

#endif
