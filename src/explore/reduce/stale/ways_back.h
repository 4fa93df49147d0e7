/* ways_back.h -- finds out whether a thread comes back to the beginning of its iteration if its
 * reads get other answers.
 *
 * A thread has performed an iteration of a loop, and some of its reads may still get another answer (stale.h).  For each such answer, the thread is
 * run with this answer, to find out whether it only reads until it is back at the place where the iteration began, in the same live state.  What a
 * thread does next depends on its live state, the answer, and the bytes that it reads plainly.  Each step is tried once, and the result is
 * remembered (local_steps.h).
 */
#ifndef LP_EXPLORE_REDUCE_STALE_WAYS_BACK_H
#define LP_EXPLORE_REDUCE_STALE_WAYS_BACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"
#include "base/vec.h"
#include "explore/reduce/stale/local_steps.h"
#include "graph/graph.h"
#include "graph/note.h"
#include "program/program.h"

struct lp_explorer;

enum {
	LP_BACK_DEPTH = 8,    /* the most operations of a way back */
	LP_BACK_STATES = 256, /* the most states that are visited on all ways back together */
	LP_BACK_ANSWERS = 32, /* the most different answers to one operation */
	LP_BACK_HOMES = 64,   /* the number of bits of lp_back.came */
};

/* May another thread depend on the frozen read because of symmetry, as in the section on like threads of stale.h? */
enum lp_back_followed {
	LP_BACK_ALONE,    /* no */
	LP_BACK_FOLLOWED, /* yes: F has only the past of the frozen read, and the events in
	                   * lp_back.witnessed */
	LP_BACK_TAKEN,    /* yes; and an RMW of another thread reads from the rf of the frozen read in all later
	                   * graphs */
};

struct lp_back {
	struct lp_explorer *x;
	const struct lp_graph *g;
	lp_tid thread;
	uint32_t from, to;       /* the thread's events with indices from `from` to `to` - 1 are the iteration, and what came
	                          * after it */
	uint32_t homes;          /* the number of events, from index `from` on, before each of which the thread was in a state to which it may come
	                          * back */
	uint32_t home;           /* if not 0: the thread may come back to this live state only */
	uint64_t came;           /* bit i: the thread came back to the i-th of these `homes` states */
	uintptr_t left;          /* the memory that the iteration has written */
	size_t left_size;        /* its size; 0: the iteration has written nothing */
	bool left_stored;        /* an operation stored it; otherwise a plain write did */
	lp_eid frozen;           /* the frozen read r; F has the events that were added up to r (stale.h) */
	uint32_t *witnessed;     /* a clock: the past of the writes that were added after one of their readers */
	bool gone;               /* the thread has gone on after its event with index `to`, so memory may have changed */
	enum lp_back_followed followed;
	uint32_t at;             /* the index, in the frame's sequence, of the operation of u, the first read with another
	                          * answer */
	uint32_t u;              /* the index of this read in the thread */
	struct {                 /* for lp_back_if_answered() */
		struct lp_value answer;
		uint32_t excused; /* 1 + a location: if the second operation follows the first at once, it is not tried whether this
		                   * second operation swaps `answer` there; 0: there is no such location */
		uint32_t met;     /* 1 + a location whose initial value is known although no event accesses it yet; 0: there is
		                   * none */
	} asked;
	struct lp_local_step step; /* the step that was tried last */
	struct lp_response path[LP_BACK_DEPTH];
	uint32_t *known[LP_BACK_DEPTH + 1]; /* by depth: a clock of events that certainly happen before the next
	                                     * operation */
	struct lp_back_room room;
	uint32_t visited_count;
	struct { uint32_t live; bool open; } visited[LP_BACK_STATES]; /* their clocks are in `room`; `open`: the state is on the
	                                                               * way that is being tried */
};

/* The answers that an operation may get. */
struct lp_back_answers {
	struct { struct lp_value value; lp_eid write; } at[LP_BACK_ANSWERS]; /* `write`: the write that gives the answer, if it is
	                                                                      * in F and the only one; otherwise LP_NO_EVENT */
	uint32_t count;
	bool more; /* there are more answers than room */
};

/* Opens a search for the ways back of a thread of the top frame, and fills in `witnessed`. */
void lp_back_open(struct lp_back *, struct lp_explorer *, lp_tid thread);
void lp_back_close(struct lp_back *);

/* Is the event in F (stale.h)?  The initial value counts as an event of F. */
bool lp_back_in_f(const struct lp_back *, lp_eid);

static inline const struct lp_event *lp_back_event(const struct lp_back *s, uint32_t index)
{
	return lp_graph_event(s->g, s->g->threads.at[s->thread].at[index]);
}

static inline const struct lp_note *lp_back_note(const struct lp_back *s, uint32_t index)
{
	return lp_graph_note(s->g, s->g->threads.at[s->thread].at[index]);
}

/* Is the event a fence, or a read that is not half of an RMW that writes? */
bool lp_back_is_quiet(const struct lp_event *);

/* The smallest index such that the thread's events from this index to index `end` - 1 are quiet (lp_back_is_quiet()), and the thread makes no
 * plain writes between them.  The search goes back by fewer than LP_BACK_HOMES events. */
uint32_t lp_back_only_reads_from(const struct lp_back *, uint32_t end);

/* Finds the memory that the iteration has written.  Returns false if this is not one range of the
 * thread's own memory. */
bool lp_back_find_left(struct lp_back *);

/* Fills in the answers that the operation may get.  Returns false if these are not known.  `first`: the
 * operation is u, which was revisited.  `known`: a clock of events that certainly happen before the operation. */
bool lp_back_answers(const struct lp_back *, const struct lp_op *, uint32_t loc, bool first, const uint32_t *known,
		     struct lp_back_answers *);

/* Is it true of all executions that only RMWs are above the rf of the frozen read in co?  If so, in every later graph in which another like thread
 * depends on the frozen read, one of these RMWs reads from this rf (stale.h, on like threads). */
bool lp_back_is_taken_first(const struct lp_back *);

/* Does the thread come back if its read with index `u` gets another answer?  `first`: the read was revisited; otherwise it is only performed
 * again, after a revisit of another event. */
bool lp_back_from(struct lp_back *, uint32_t u, bool first);

/* Does the thread come back after its last event, a read that is in the graph, but not performed yet? */
bool lp_back_after_last(struct lp_back *);

/* The thread is in live state `live`, and about to perform operation number `op`.  If this operation gets the answer `value`, does the thread
 * come back with all answers to its later operations, in all executions?  The result does not depend on the graph.  With `excused`, if the
 * operation is a load and a read-modify-write follows at once, the read-modify-write need not be tried with the answer `value`. */
bool lp_back_if_answered(struct lp_back *, uint32_t live, uint32_t op, struct lp_value value, bool excused);

/* Records what the thread might have accessed on its ways back (omitted_races.h). */
void lp_back_record(const struct lp_back *);
/* Records what the thread has accessed since it was at the place to which it would come back. */
void lp_back_record_iterations(const struct lp_back *);

#endif
