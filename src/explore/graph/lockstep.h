/* lockstep.h -- keeps a program in step with an execution graph.
 *
 * The explorer changes graphs; the machine (struct lp_machine) brings the program to the state that
 * a graph describes.  An execution is a sequence of completed operations, each named by the uid of
 * its first event; equal sequences of uids mean equal states.  To follow a sequence, the machine
 * restores the last state that it saved on the common prefix, and performs the remaining
 * operations.  It saves the state before a choice, and a state that it has gone back to, if that is cheaper than performing
 * the operations again.  The clocks of the race detector follow in the same way.
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
	uint32_t done;    /* index into `done_saved` */
	uint32_t own, plains;
	uint32_t active;
};

/* After `index` events the thread did something that is not an operation: a plain access, an
 * allocation or a free. */
struct lp_activity {
	lp_tid thread;
	uint32_t index;
	bool only_reads; /* the thread only read memory that other threads may know, or accessed its own
	                  * stack */
	bool stack;      /* the thread accessed its own stack */
};

/* A thread that counts as like others, although their parent did something other than operations between their starts, such as
 * plain accesses.  `first` is the number of the parent's events up to the start of the first of these threads, this start
 * included; it is 0 for every other thread.  The argument that only this thread was given is at
 * [given, given+room). */
struct lp_like {
	uint32_t first;
	uintptr_t given;
	size_t room;
};

/* What a thread did after the last answer of a trial. */
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
	struct lp_trail *trail;                       /* notes plain accesses; or NULL */
	struct lp_helping_facts *helping;             /* notes frees; or NULL */
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
	struct lp_op yields;                          /* the pending operation of a thread that only yields */
	struct { LP_VEC(struct lp_op *); } stores;    /* by thread: the RMW that lp_mixed_store() has made of its
	                                               * pending store */
	struct {
		uint64_t all;                         /* plain accesses and blocks so far */
		uint64_t since;                       /* plain accesses and blocks since a state was
		                                       * last saved or restored */
	} observed;
	bool faults;                                  /* some thread may be at an error.  The machine sets this when a thread comes
	                                               * to an error, and the explorer clears it when no thread is at one.  Then no
	                                               * saved state has a thread at an error either: threads stay at an error,
	                                               * and saved states precede the current state */
};

/* Opens a machine.  With `own`, it tracks the threads' own memory (own.h). */
void lp_machine_open(struct lp_machine *, struct lp_program *, struct lp_ops *,
		     bool races_ignored, bool own);
void lp_machine_close(struct lp_machine *);

/* Brings the program to the state after the operations of `seq` in `g`.  The caller knows that the
 * first `agree` of these are already performed.  Returns false if an operation is an error (a race
 * with an atomic access); `error` then describes it. */
bool lp_machine_follow(struct lp_machine *, const struct lp_graph *g,
		       const struct lp_sequence *seq, uint32_t agree);

struct lp_to_try {
	uint32_t at;
	lp_tid thread;
	const struct lp_response *answers;
	uint32_t count; /* how many answers there are */
	bool reached;   /* some execution of the program does this, so the code that it reaches
	                 * counts as reached */
	uint32_t done;  /* if not 0: the first answer replaces the answer to an operation in the graph, after which the
	                 * thread has `done` events.  The events that follow are tried with the happens-before past of
	                 * that operation */
};

/* Takes the program back to the state after the first `at` operations of the sequence, and resumes
 * the thread with these answers, one after the other.  Returns its next operation, or NULL if on the
 * way it made a plain access or requested anything other than an operation.  If `trial` is not NULL,
 * such accesses and requests are allowed after the last answer, and are recorded in `*trial`.
 * Afterwards the program is in a state that no graph describes, and lp_machine_follow() must bring it
 * back, with `agree` at most `at`. */
const struct lp_op *lp_machine_try(struct lp_machine *, const struct lp_graph *g, const struct lp_sequence *seq,
				   const struct lp_to_try *, struct lp_tried *trial);

/* How many operations of `seq` are already performed: the length of the common prefix. */
uint32_t lp_machine_agree(const struct lp_machine *, const struct lp_graph *g,
			  const struct lp_sequence *seq);

/* Are the performed operations the first ones of `seq`, and has each thread performed the events of these operations?  For
 * debug builds (frame_validate.c). */
bool lp_machine_validate(const struct lp_machine *, const struct lp_graph *g, const struct lp_sequence *seq);

/* The next operation of a thread other than a yield.  A yield is not an event, and its answer
 * carries no information. */
const struct lp_op *lp_machine_pass_yields(struct lp_machine *, lp_tid);

static inline const struct lp_op *lp_machine_pending(struct lp_machine *m, lp_tid thread)
{
	const struct lp_op *op = lp_program_pending(m->program, thread);

	if (op->kind == LP_OP_YIELD)
		op = lp_machine_pass_yields(m, thread);
	return op->kind == LP_OP_STORE && m->ops->parts ? lp_mixed_store(m, thread, op) : op;
}

/* Is the thread at operation number `op`, as it was when it was here before?  If not, `error` says so: the
 * program violates P1 of program.h, since its behaviour is not a function of the answers that it gets, and it
 * cannot be explored. */
bool lp_machine_is_at(struct lp_machine *, lp_tid, uint32_t op);

/* Records that [loc, loc+size) is a location of the graph: plain accesses to it may become events. */
void lp_machine_note(struct lp_machine *, uintptr_t loc, size_t size);

/* May [loc, loc+size) overlap with a location of this graph or an earlier one?  False only if it
 * does not. */
bool lp_machine_was_atomic(const struct lp_machine *, uintptr_t loc, size_t size);

/* Has the thread done nothing but perform operations between its event number `from` and the
 * operation after its event number `to`?  The thread must have reached that operation. */
bool lp_machine_is_quiet(const struct lp_machine *, lp_tid, uint32_t from, uint32_t to);
/* What the thread did after its first `index` events, before its next operation; NULL: nothing. */
const struct lp_activity *lp_machine_activity(const struct lp_machine *, lp_tid, uint32_t index);

/* The explorer will return to the current state.  Saves it if that is cheaper than performing the operations
 * again. */
void lp_machine_keep(struct lp_machine *);

#endif
