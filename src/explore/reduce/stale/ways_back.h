/* ways_back.h -- how a thread goes on if it is answered something else, and whether it comes back.
 *
 * A thread has performed an iteration of a loop, and some of its reads may still get another answer (stale.h).  For each answer the
 * thread is run on, to find out whether it returns to where the iteration began: in the same live state, and having only read.  What a
 * thread does next depends on its live state, the answer, and the bytes that it reads plainly.  It is tried once, and then remembered (local_steps.h).
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
	LP_BACK_DEPTH = 8,    /* operations of another way back */
	LP_BACK_STATES = 256, /* states that are visited on all ways back together */
	LP_BACK_ANSWERS = 32, /* different answers to one operation */
	LP_BACK_HOMES = 64,   /* bits of lp_back::came */
};

/* Does another thread depend on the frozen read, because it is like this one (stale.h)? */
enum lp_back_followed {
	LP_BACK_ALONE,
	LP_BACK_FOLLOWED, /* F has only the past of the frozen read, and what is witnessed */
	LP_BACK_TAKEN,    /* likewise; and an RMW of another thread reads from what the frozen read does, for good */
};

struct lp_back {
	struct lp_explorer *x;
	const struct lp_graph *g;
	lp_tid thread;
	uint32_t from, to;       /* the iteration, and what came after it: events of the thread */
	uint32_t homes;          /* the thread may come back to where it was before one of this many of its events */
	uint32_t home;           /* or, if it is not 0: only to this live state */
	uint64_t came;           /* bits: the ones of them that it came back to */
	uintptr_t left;          /* what it has left in memory */
	size_t left_size;        /* 0: nothing */
	bool left_stored;        /* an operation stored it; otherwise a plain write did */
	lp_eid frozen;           /* F has what was added up to here (stale.h) */
	uint32_t *witnessed;     /* a clock: the past of writes that were added after one of their readers */
	bool gone;               /* the thread has gone on since: memory may not be as it was */
	enum lp_back_followed followed;
	uint32_t at;             /* u, the first read with another answer, is that operation of the frame's sequence */
	uint32_t u;              /* its index in the thread */
	struct {                 /* lp_back_if_answered() */
		struct lp_value answer;
		uint32_t excused; /* 1 + a location: the second operation, if nothing comes before it, cannot swap `answer` there; or 0 */
		uint32_t met;     /* 1 + a location whose initial value is known, though no event is on it yet; or 0 */
	} asked;
	struct lp_local_step step; /* the step that was tried last */
	struct lp_response path[LP_BACK_DEPTH];
	uint32_t *known[LP_BACK_DEPTH + 1]; /* clocks: what happens before the next operation, at least */
	struct lp_back_room room;
	uint32_t visited_count;
	struct { uint32_t live; bool open; } visited[LP_BACK_STATES]; /* with their clocks in `room`; open: on the way */
};

struct lp_back_answers {
	struct { struct lp_value value; lp_eid write; } at[LP_BACK_ANSWERS]; /* LP_NO_EVENT: not in F */
	uint32_t count;
	bool more;
};

/* Opens a search for the ways back of a thread of the top frame, with `witnessed`. */
void lp_back_open(struct lp_back *, struct lp_explorer *, lp_tid thread);
void lp_back_close(struct lp_back *);

bool lp_back_in_f(const struct lp_back *, lp_eid);

static inline const struct lp_event *lp_back_event(const struct lp_back *s, uint32_t index)
{
	return lp_graph_event(s->g, s->g->threads.at[s->thread].at[index]);
}

static inline const struct lp_note *lp_back_note(const struct lp_back *s, uint32_t index)
{
	return lp_graph_note(s->g, s->g->threads.at[s->thread].at[index]);
}

/* May the event be between the beginning of an iteration and a read that gets another answer, or is not performed yet? */
bool lp_back_is_quiet(const struct lp_event *);

/* The first event of the thread from which on, up to event number `end`, it has only read, and performed fences. */
uint32_t lp_back_only_reads_from(const struct lp_back *, uint32_t end);

/* Finds out what the iteration has left in memory; false if that is too much. */
bool lp_back_find_left(struct lp_back *);

/* What may the operation be answered?  False if that is not known.  `first`: it is u, and revisited. */
bool lp_back_answers(const struct lp_back *, const struct lp_op *, uint32_t loc, bool first, const uint32_t *known,
		     struct lp_back_answers *);

/* Are only RMWs ever above what the frozen read reads, in co?  Then one of them reads from that before another thread goes further. */
bool lp_back_is_taken_first(const struct lp_back *);

/* Does the thread come back if its event `u` is another one?  `first`: it was revisited, and not just performed again. */
bool lp_back_from(struct lp_back *, uint32_t u, bool first);

/* Does the thread come back after its last event, a read that is in the graph, but not performed yet? */
bool lp_back_after_last(struct lp_back *);

/* The thread is in that live state, and about to perform an operation.  Does it come back if that is answered `value`, whatever it is
 * answered next, in all executions?  Nothing of the graph is taken for granted.  If the operation is a load, and `excused`, a
 * read-modify-write that follows at once is not answered the same value, or that does not matter. */
bool lp_back_if_answered(struct lp_back *, uint32_t live, uint32_t op, struct lp_value value, bool excused);

/* Records what the thread might have accessed on its ways (omitted_races.h). */
void lp_back_record(const struct lp_back *);
/* Records what the thread has accessed since it was at the place to which it would come back. */
void lp_back_record_iterations(const struct lp_back *);

#endif
