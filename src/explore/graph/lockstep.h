/* lockstep.h -- keeps a program in step with an execution graph.
 *
 * The explorer changes graphs; the machine brings the program to the state that a
 * graph describes.  An execution is a sequence of completed operations, each named by
 * the uid of its first event; equal sequences of uids mean equal states.  To follow a
 * sequence the machine goes back to the last state it saved on the common part and
 * performs what is missing.  It saves states before choices, and where it has gone back
 * to.  The clocks per location, which find data races, are kept in step too.
 */
#ifndef LP_EXPLORE_GRAPH_LOCKSTEP_H
#define LP_EXPLORE_GRAPH_LOCKSTEP_H

#include "explore/graph/mixed_sizes.h"
#include "explore/graph/plains.h"
#include "explore/ops.h"
#include "explore/reduce/final_joins.h"
#include "explore/reduce/omitted_races.h"
#include "explore/reduce/facts/own.h"
#include "explore/trail.h"
#include "graph/graph.h"
#include "model/race.h"
#include "program/program.h"

/* Operations in the order in which they are performed: first events. */
struct lp_sequence {
	LP_VEC(lp_eid);
};

struct lp_machine_save {
	uint32_t at;      /* operations performed */
	uint32_t mark;    /* the program's */
	size_t race_mark;
	uint32_t done;    /* index into `done_saved` */
	uint32_t own, plains;
	uint32_t active;
};

/* After `index` events the thread did something that is no operation: it accessed memory
 * plainly, or allocated or freed some. */
struct lp_activity {
	lp_tid thread;
	uint32_t index;
	bool only_reads; /* of memory that others may know of; and accesses to its own stack */
	bool stack;      /* there were such */
};

/* A thread that was declared to be like another one, although its parent did something between the
 * start of the two: how many events of the parent happen before the start of the first such thread, or
 * 0 if it is no such thread.  What was passed to this thread only is at [given, given+room). */
struct lp_like {
	uint32_t first;
	uintptr_t given;
	size_t room;
};

/* What a thread did after the last answer of a trial. */
struct lp_tried {
	uint32_t plains;   /* its plain accesses are logged from there on */
	uint64_t observed; /* how many there were */
	uint64_t noise;    /* what it asked for besides the next operation: plain writes, and anything else */
};

struct lp_helping_facts;

struct lp_machine {
	struct lp_observer observer; /* first: the program's view of us */
	struct lp_program *program;
	struct lp_ops *ops;
	struct lp_race *race;
	struct lp_own own;
	struct lp_plains plains;
	struct lp_final_joins tail;
	struct lp_omitted omitted;
	struct lp_trail *trail;                       /* that plain accesses are noted in; or NULL */
	struct lp_helping_facts *helping;             /* that are told of frees; or NULL */
	bool races_ignored;
	struct { LP_VEC(uint64_t); } performed;       /* uids */
	struct { LP_VEC(struct lp_machine_save); } saves;
	struct { LP_VEC(uint32_t); } done;            /* events performed, by thread */
	struct { LP_VEC(uint32_t); } done_saved;
	struct { LP_VEC(struct lp_activity); } active;
	struct { LP_VEC(struct lp_like); } like;      /* by thread */
	uint64_t *atomic_filter;                      /* granules that were ever atomic */
	const struct lp_graph *graph;                 /* while performing */
	struct lp_program_error error;
	lp_tid error_thread;
	struct lp_op yields;                          /* what a thread that only yields is at */
	struct { LP_VEC(struct lp_op *); } stores;    /* by thread: what it is at, if that keeps the rest */
	uint64_t observed;                            /* plain accesses, blocks, ever */
	uint64_t since;                               /* since the last state saved or gone back to */
};

/* With `own`, the threads' own memory is tracked (own.h). */
void lp_machine_open(struct lp_machine *, struct lp_program *, struct lp_ops *,
		     bool races_ignored, bool own);
void lp_machine_close(struct lp_machine *);

/* Brings the program to the state after the operations of `seq` in `g`, of which the
 * first `agree` are known to be those performed.  False if an operation is an error (a
 * race with an atomic access): see `error`. */
bool lp_machine_follow(struct lp_machine *, const struct lp_graph *g,
		       const struct lp_sequence *seq, uint32_t agree);

struct lp_to_try {
	uint32_t at;
	lp_tid thread;
	const struct lp_response *answers;
	uint32_t count; /* of them */
};

/* Takes the program back to the first `at` operations of the sequence, and has the thread go on
 * from there with these answers, one after the other.  Its next operation; NULL if on the way
 * it asked for anything but operations, or accessed memory plainly; unless `trial` is there to tell, of the last answer.  The program
 * is then where the graph never was, and must follow from `at` on. */
const struct lp_op *lp_machine_try(struct lp_machine *, const struct lp_graph *g, const struct lp_sequence *seq,
				   const struct lp_to_try *, struct lp_tried *trial);

/* How many operations of `seq` are the ones performed. */
uint32_t lp_machine_agree(const struct lp_machine *, const struct lp_graph *g,
			  const struct lp_sequence *seq);

/* The pending operation of a thread that exists, past any that only yield: yielding is
 * not an event, and an answer to it says nothing. */
const struct lp_op *lp_machine_pass_yields(struct lp_machine *, lp_tid);

static inline const struct lp_op *lp_machine_pending(struct lp_machine *m, lp_tid thread)
{
	const struct lp_op *op = lp_program_pending(m->program, thread);

	if (op->kind == LP_OP_YIELD)
		op = lp_machine_pass_yields(m, thread);
	return op->kind == LP_OP_STORE && m->ops->parts ? lp_parts_store(m, thread, op) : op;
}

/* Is the thread at that operation, where it was before?  If not, `error` says so: a program that is not a
 * function of the answers it gets (P1 of program.h) cannot be explored. */
bool lp_machine_is_at(struct lp_machine *, lp_tid, uint32_t op);

/* [loc, loc+size) is a location of the graph: plain accesses to it may be events. */
void lp_machine_note(struct lp_machine *, uintptr_t loc, size_t size);

/* May [loc, loc+size) overlap with something that ever was a location? */
bool lp_machine_was_atomic(const struct lp_machine *, uintptr_t loc, size_t size);

/* Having performed `from` events, and until it had performed `to` and came to its next
 * operation, did the thread do nothing but operations?  It must have come so far. */
bool lp_machine_is_quiet(const struct lp_machine *, lp_tid, uint32_t from, uint32_t to);
/* What it did having performed `index` events, before its next operation; NULL: nothing. */
const struct lp_activity *lp_machine_activity(const struct lp_machine *, lp_tid, uint32_t index);

/* The current state will be wanted again; saved if that is worth its while. */
void lp_machine_keep(struct lp_machine *);

#endif
