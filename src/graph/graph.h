/* graph.h -- execution graphs: one execution, seen axiomatically.
 *
 * A graph holds events and the relations that an exploration chooses: program
 * order (po), reads-from (rf) and coherence (co).  From them it keeps, for every
 * event, three vector clocks; a clock counts, for each thread, how many of its
 * events are in the set, all of which are closed under po:
 *
 *     porf  the events from which there is a path of po and rf (and of spawn and
 *           join edges), the event itself included;
 *     hb    the same for happens-before; filled in by model/, because the model
 *           decides which reads synchronise;
 *     msg   writes only: what an acquire read of this write learns.
 *
 * An RMW that writes is two events, adjacent in po: its read and its write, both
 * with `rmw` set.
 *
 * Invariants, checked by lp_graph_validate():
 *   G1  ids are dense, and are the order in which the exploration added the
 *       events; po is a suborder of it, rf need not be (a read can be made to read
 *       from a later event);
 *   G2  a read's rf is a write to the same location, or LP_INIT;
 *   G3  co lists all writes to a location; position 0 is the initial value;
 *   G4  the clocks are those of the relations.
 *
 * Ownership: a graph owns its memory; reset and copying keep it for reuse.  Ids
 * are valid until the event is popped.  A graph belongs to one worker.
 */
#ifndef LP_GRAPH_GRAPH_H
#define LP_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/order.h"
#include "base/value.h"
#include "base/vec.h"

typedef uint32_t lp_eid;
#define LP_NO_EVENT UINT32_MAX
#define LP_INIT (UINT32_MAX - 1) /* as an rf: the initial value */
#define LP_NO_THREAD UINT32_MAX     /* as a thread */

enum lp_event_kind {
	LP_EV_READ,
	LP_EV_WRITE,
	LP_EV_FENCE,
	LP_EV_SPAWN,  /* thread `target` begins after it */
	LP_EV_JOIN,   /* after the end of thread `target` */
	LP_EV_CHOOSE, /* a number was chosen: `value` */
	LP_EV_CALL,   /* a call begins: `value` is its number */
	LP_EV_END,    /* last of its thread */
};

/* The explorer may weaken an acquiring read (explore/reduce/undone/undone.h): it then learns ... */
enum lp_faint {
	LP_FAINT_NOT,     /* what its order says */
	LP_FAINT_NOTHING,
	LP_FAINT_EARLY,   /* what the writing thread had done before its first operation with a live state, if the write tells of that */
};

struct lp_event {
	uint8_t kind;     /* enum lp_event_kind */
	uint8_t order;    /* enum lp_order, as the model takes it */
	bool rmw;         /* half of an RMW that writes */
	bool locked;      /* half of an RMW, or a failed one: a fence on x86 */
	bool partial;     /* on a partial lock, whose synchronisation does not count (model/calls.h) */
	bool spurious;    /* a weak CAS that failed spuriously */
	uint8_t faint;    /* READ: enum lp_faint, if the explorer has weakened it */
	bool keeps;       /* READ: of a store to a part of its location, which keeps the other bytes */
	uint16_t bytes;   /* of a location that is accessed in parts (parts.h): those accessed;
	                   * 0: every access is to all of it */
	bool loose;       /* READ, weakened likewise: reads of other threads that it happens before may read from older writes */
	bool late;        /* the thread has a live state there: LP_FAINT_EARLY is about what comes before the first such event */
	uint32_t thread;
	uint32_t index;   /* in its thread */
	uint32_t loc;     /* READ, WRITE */
	uint32_t target;  /* SPAWN, JOIN */
	lp_eid rf;        /* READ */
	union {
		uint32_t pos;   /* WRITE: position in co, from 1 */
		uint32_t elder; /* SPAWN: 1 + the thread that the new one is declared to be like, or 0 */
	};
	uint32_t fence;   /* 1 + index of the last release fence up to here in the thread; 0 */
	uint32_t op;      /* the number of the operation whose event it is */
	struct lp_value value; /* read, written or chosen */
};

struct lp_thread {
	LP_VEC(lp_eid);   /* its events in po */
	lp_eid spawn;     /* the SPAWN that began it; LP_NO_EVENT for thread 0 */
	uint32_t elder;   /* the thread that it was declared to be like, or LP_NO_THREAD */
	uint32_t eldest;  /* the first of the chain of elders; the thread itself if there is none */
	bool exists;
};

struct lp_loc {
	bool used;        /* some event is on it */
	uint16_t uninitialised; /* its bytes that were never written; all are set or none, if it
	                         * is not accessed in parts */
	struct lp_value initial;
	uint32_t owner;   /* 1 + the thread in whose own memory it is; 0: in no thread's */
	uintptr_t place;  /* its place in that memory */
	struct { LP_VEC(lp_eid); } co;    /* at[i] is the write at position i + 1 */
	struct { LP_VEC(lp_eid); } reads; /* in id order */
};

struct lp_graph {
	struct { LP_VEC(struct lp_event); } ev;
	struct lp_note *notes; /* the explorer's, one for each event (note.h) */
	struct { LP_VEC(struct lp_thread); } threads;
	struct { LP_VEC(struct lp_loc); } locs;   /* by location id, which the explorer names */
	struct { LP_VEC(uint32_t); } used;        /* locations with events, in order of first use */
	uint32_t *clocks; /* three for each event */
	uint32_t width;   /* of a clock: a multiple of four */
	uint32_t room;    /* events for which there are clocks and notes */
	uint32_t sc_events, sc_fences; /* with order LP_SC */
};

void lp_graph_open(struct lp_graph *g);  /* empty, thread 0 exists */
void lp_graph_close(struct lp_graph *g);
void lp_graph_clear(struct lp_graph *g); /* as opened, keeping memory */

/* Makes room for thread `t`, or location `loc`. */
void lp_graph_need_thread(struct lp_graph *g, uint32_t t);
void lp_graph_need_loc(struct lp_graph *g, uint32_t loc);

/* Appends an event to the po of its thread.  The caller fills kind, order, flags,
 * thread, loc, target, rf, elder, pos (a write is put at co position `pos`, moving those
 * from there on), op, value; index, fence and the porf clock are filled in
 * here, and hb with what does not depend on the model: po, spawn, join.  Its note is empty. */
lp_eid lp_graph_add(struct lp_graph *g, const struct lp_event *e);

/* Removes the event with the largest id. */
void lp_graph_pop(struct lp_graph *g);

/* Gives the po-last read `r`, on which nothing depends, the rf, value, order and flags of
 * `shape`.  Its clocks become what they would be if it were added now. */
void lp_graph_set_read(struct lp_graph *g, lp_eid r, const struct lp_event *shape);

/* Makes `to` a copy of `from` without the events e with keep[e] false.  The removed
 * events must be closed under po and rf, except that a read which gets another
 * rf at once may read from a removed event (its rf becomes LP_NO_EVENT). */
void lp_graph_restrict(struct lp_graph *to, const struct lp_graph *from,
		       const bool *keep, lp_eid *renamed);

/* To build a graph that comes from elsewhere.  lp_graph_reserve() makes room in `g`, which is
 * cleared, for that many events and for threads below `threads`.  Then the caller fills in the
 * events and their notes (index may be missing, and pos needs only the right order among the writes to a
 * location), sets ev.count, names the locations (used is false), and fills in the clocks.
 * lp_graph_rebuild() derives everything else. */
void lp_graph_reserve(struct lp_graph *g, uint32_t events, uint32_t threads);
void lp_graph_rebuild(struct lp_graph *g);

/* Checks G1 to G4 without trusting anything derived; for tests and debug builds. */
bool lp_graph_validate(const struct lp_graph *g);

enum { LP_CLOCK_PORF, LP_CLOCK_HB, LP_CLOCK_MSG };

static inline uint32_t *lp_graph_clock(const struct lp_graph *g, lp_eid e, unsigned which)
{
	return g->clocks + (size_t)(3 * e + which) * g->width;
}

static inline struct lp_event *lp_graph_event(const struct lp_graph *g, lp_eid e)
{
	return &g->ev.at[e];
}

/* Was a number chosen, which is its value? */
static inline bool lp_event_chooses(const struct lp_event *e)
{
	return e->kind == LP_EV_CHOOSE || e->kind == LP_EV_CALL;
}

/* The last event of a thread, or the SPAWN that began it, or LP_NO_EVENT. */
static inline lp_eid lp_graph_last(const struct lp_graph *g, uint32_t thread)
{
	const struct lp_thread *t = &g->threads.at[thread];
	return t->count ? LP_LAST(t) : t->spawn;
}

/* The event before the one at `index` of a thread, or the SPAWN that began it. */
static inline lp_eid lp_graph_before(const struct lp_graph *g, uint32_t thread, uint32_t index)
{
	const struct lp_thread *t = &g->threads.at[thread];
	return index ? t->at[index - 1] : t->spawn;
}

static inline bool lp_clock_has(const uint32_t *clock, const struct lp_event *e)
{
	return clock[e->thread] > e->index;
}

/* Is all that the one clock counts in the other, too? */
static inline bool lp_clock_within(const uint32_t *small, const uint32_t *big, uint32_t width)
{
	for (uint32_t t = 0; t < width; t++)
		if (small[t] > big[t])
			return false;
	return true;
}

/* e is in the porf past of `of`, or is it. */
static inline bool lp_graph_porf(const struct lp_graph *g, lp_eid e, lp_eid of)
{
	return lp_clock_has(lp_graph_clock(g, of, LP_CLOCK_PORF), lp_graph_event(g, e));
}

static inline bool lp_graph_hb(const struct lp_graph *g, lp_eid e, lp_eid of)
{
	return lp_clock_has(lp_graph_clock(g, of, LP_CLOCK_HB), lp_graph_event(g, e));
}

static inline uint32_t lp_graph_pos(const struct lp_graph *g, lp_eid write)
{
	return write == LP_INIT ? 0 : lp_graph_event(g, write)->pos;
}

/* The write at a position of co, or LP_INIT. */
static inline lp_eid lp_graph_at(const struct lp_loc *loc, uint32_t pos)
{
	return pos ? loc->co.at[pos - 1] : LP_INIT;
}

/* Copies `count` entries, a multiple of four as the width of a clock is: so few that a call would take longer. */
static inline void lp_clock_copy(uint32_t *restrict to, const uint32_t *restrict from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i += 4)
		memcpy(to + i, from + i, 4 * sizeof *to);
}

static inline void lp_clock_join(uint32_t *restrict to, const uint32_t *restrict from,
				 uint32_t width)
{
	for (uint32_t i = 0; i < width; i++)
		to[i] = to[i] > from[i] ? to[i] : from[i];
}

#endif
