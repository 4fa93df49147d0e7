/* graph.h -- execution graphs: one execution, seen axiomatically.
 *
 * A graph holds events and the relations that an exploration chooses: program
 * order (po), reads-from (rf) and coherence (co).  It derives three sets of events for each event
 * from these relations, and keeps each set as a vector clock.  All of these sets are closed under
 * po, so for each thread it suffices to count the events in the set:
 *
 *     porf  the events from which a path of po, rf, spawn and join edges leads to the event, and the
 *           event itself; the explorer adds events of like threads to this set
 *           (explore/reduce/symmetry.h);
 *     hb    the events that happen before it, and the event itself; model/ fills this clock in,
 *           because the model decides which reads synchronise;
 *     msg   for writes only: the events that happen before every acquire read that reads from
 *           the write.
 *
 * An RMW that writes is two events that are adjacent in po, its read and its write.  Both have `rmw`
 * set.
 *
 * Invariants, checked by lp_graph_validate():
 *   G1  ids are dense, and increase in the order in which the exploration added the events.  This
 *       order contains po, but need not contain rf: a revisit can make a read read from a write
 *       that was added later;
 *   G2  a read's rf is a write to the same location, or LP_INIT.  Unless the read has `keeps`, it has the value that its rf gives it;
 *   G3  co lists all writes to a location, each write of an RMW directly above the rf of its read; position 0 is the
 *       initial value;
 *   G4  the porf and hb clocks of an event contain the event itself, and the same clock of the event before it in po.  The SPAWN of a
 *       thread counts as the event before the first event of the thread.  The clocks of a JOIN also contain those of the last event of
 *       the target.  The porf clock of a read also contains that of its rf.  The hb clock of an event is part of its porf clock.
 *
 * Ownership: a graph owns its memory; clearing and copying keep the memory for reuse.  An id is
 * valid until its event is popped.  A graph belongs to one worker.
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
	LP_EV_SPAWN,  /* starts thread `target` */
	LP_EV_JOIN,   /* comes after the end of thread `target` */
	LP_EV_CHOOSE, /* a number was chosen: `value` */
	LP_EV_CALL,   /* a call begins: `value` is its number */
	LP_EV_END,    /* the last event of its thread */
};

/* The explorer may weaken an acquiring read (explore/reduce/undone/undone.h).  Which events happen before
 * the read because of the write that it reads from? */
enum lp_faint {
	LP_FAINT_NOT,     /* those that the memory orders imply: the read is not weakened */
	LP_FAINT_NOTHING, /* none */
	LP_FAINT_EARLY,   /* of those that the memory orders imply, only the events of the writing thread before its first event with
	                   * `late` */
};

struct lp_event {
	uint8_t kind;     /* enum lp_event_kind */
	uint8_t order;    /* enum lp_order: what the model's order() returned for the order in the program */
	bool rmw;         /* half of an RMW that writes, or of a store that keeps other bytes (parts.h) */
	bool locked;      /* half of an RMW, or the read of a failed RMW: a fence on x86 */
	bool partial;     /* the operation is on a partial lock, on whose synchronisation clients
	                   * cannot rely (model/calls.h) */
	bool spurious;    /* a weak CAS that failed spuriously */
	uint8_t faint;    /* READ: enum lp_faint, if the explorer has weakened it */
	bool keeps;       /* READ: belongs to a store to a part of the location, and keeps the other
	                   * bytes */
	uint16_t bytes;   /* the bytes that are accessed, if the location is accessed in parts
	                   * (parts.h); 0: every access is to the whole location */
	bool loose;       /* READ that the explorer has weakened: reads of other threads that come after this read in hb may still
	                   * read from older writes */
	bool late;        /* the event's note has a live state (note.h), so the event is in a loop: see LP_FAINT_EARLY */
	uint32_t thread;
	uint32_t index;   /* in its thread, from 0 */
	uint32_t loc;     /* READ, WRITE */
	uint32_t target;  /* SPAWN, JOIN */
	lp_eid rf;        /* READ */
	union {
		uint32_t pos;   /* WRITE: position in co, from 1 */
		uint32_t elder; /* SPAWN: 1 + the elder of the new thread; 0: it has none */
	};
	uint32_t fence;   /* 1 + index of the last release fence of the thread up to this event; 0:
	                   * there is none */
	uint32_t op;      /* the number of the operation to which the event belongs */
	struct lp_value value; /* the value read, written or chosen */
};

struct lp_thread {
	LP_VEC(lp_eid);   /* its events in po */
	lp_eid spawn;     /* the SPAWN that began it; LP_NO_EVENT for thread 0 */
	uint32_t elder;   /* an earlier thread that counts as a like thread of this one (explore/reduce/symmetry.h), or LP_NO_THREAD */
	uint32_t eldest;  /* the thread at which the chain of elders ends; the thread itself if it
	                   * has no elder */
	bool exists;
};

struct lp_loc {
	bool used;        /* some event accesses the location */
	uint16_t uninitialised; /* bit i: byte i has no initial value.  All bits are equal unless
	                         * the location is accessed in parts */
	struct lp_value initial;
	uint32_t owner;   /* 1 + the thread in whose own memory the location is; 0: it is in no
	                   * thread's own memory */
	uintptr_t place;  /* if there is an owner: the place of the location in the owner's memory */
	struct { LP_VEC(lp_eid); } co;    /* at[i] is the write at position i + 1 */
	struct { LP_VEC(lp_eid); } reads; /* in id order */
};

struct lp_graph {
	struct { LP_VEC(struct lp_event); } ev;
	struct lp_note *notes; /* the explorer's, one for each event (note.h) */
	struct { LP_VEC(struct lp_thread); } threads;
	struct { LP_VEC(struct lp_loc); } locs;   /* by location id; the explorer hands out the ids */
	struct { LP_VEC(uint32_t); } used;        /* ids of the locations with events, in the order
	                                           * of their first use */
	uint32_t *clocks; /* three for each event */
	uint32_t width;   /* entries of a clock; a multiple of four */
	uint32_t room;    /* the number of events for which clocks and notes are allocated */
	uint32_t sc_events, sc_fences; /* the numbers of events, and of fences, with order LP_SC */
};

void lp_graph_open(struct lp_graph *g);  /* empty, thread 0 exists */
void lp_graph_close(struct lp_graph *g);
void lp_graph_clear(struct lp_graph *g); /* empties the graph, and keeps its memory */

/* Makes room for thread `t`, or location `loc`. */
void lp_graph_need_thread(struct lp_graph *g, uint32_t t);
void lp_graph_need_loc(struct lp_graph *g, uint32_t loc);

/* Appends an event to the po of its thread.  The caller fills in kind, order, flags, thread, loc,
 * target, rf, pos or elder, op and value.  A write goes to position `pos` of co, and the writes from there on
 * move up by one.  The function fills in index, fence and the porf clock.  It fills in the part of the
 * hb clock that does not depend on the model: from po, spawn and join.  The event's note is empty. */
lp_eid lp_graph_add(struct lp_graph *g, const struct lp_event *e);

/* Removes the event with the largest id. */
void lp_graph_pop(struct lp_graph *g);

/* Gives the read `r` the rf, value, order and flags of `shape`.  No event may depend on `r`, so it
 * must be the last event of its thread.  The clocks of `r` become those of a read that is added now. */
void lp_graph_set_read(struct lp_graph *g, lp_eid r, const struct lp_event *shape);

/* Makes `to` a copy of `from` that has only the events e with keep[e] set.  Sets renamed[e] to the id of
 * event e in `to`; LP_NO_EVENT if it is removed.  A successor in po or rf of a removed event must be
 * removed, too.  There is one exception: a read may stay although its rf is removed.  Its rf becomes
 * LP_NO_EVENT, and the caller must give it another rf after this call. */
void lp_graph_restrict(struct lp_graph *to, const struct lp_graph *from,
		       const bool *keep, lp_eid *renamed);

/* Two functions to build a graph that another process has sent. lp_graph_reserve() makes room in `g`,
 * which the caller has cleared, for that many events and threads.  Then the caller fills in the events
 * with their notes and clocks, sets ev.count, and makes room for the locations; `used` of the locations
 * remains false.  In the events, `index` need not be set, and `pos` of the writes to a location need only
 * be in the right order. lp_graph_rebuild() derives everything else. */
void lp_graph_reserve(struct lp_graph *g, uint32_t events, uint32_t threads);
void lp_graph_rebuild(struct lp_graph *g);

/* Checks G1 to G4.  For tests and debug builds. */
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

/* Does the event read or write a location? */
static inline bool lp_event_is_access(const struct lp_event *e)
{
	return e->kind == LP_EV_READ || e->kind == LP_EV_WRITE;
}

/* Is the event a choice of a number, or the beginning of a call?  Then its value is the number that was chosen, or that of the call. */
static inline bool lp_event_chooses(const struct lp_event *e)
{
	return e->kind == LP_EV_CHOOSE || e->kind == LP_EV_CALL;
}

/* The last event of a thread; if it has none, the SPAWN that began it, or LP_NO_EVENT for thread 0. */
static inline lp_eid lp_graph_last(const struct lp_graph *g, uint32_t thread)
{
	const struct lp_thread *t = &g->threads.at[thread];
	return t->count ? LP_LAST(t) : t->spawn;
}

/* The event before the one at `index` of a thread.  For index 0: the SPAWN that began the thread, or LP_NO_EVENT for
 * thread 0. */
static inline lp_eid lp_graph_before(const struct lp_graph *g, uint32_t thread, uint32_t index)
{
	const struct lp_thread *t = &g->threads.at[thread];
	return index ? t->at[index - 1] : t->spawn;
}

static inline bool lp_clock_has(const uint32_t *clock, const struct lp_event *e)
{
	return clock[e->thread] > e->index;
}

/* Does `big` contain every event that `small` contains? */
static inline bool lp_clock_within(const uint32_t *small, const uint32_t *big, uint32_t width)
{
	for (uint32_t t = 0; t < width; t++)
		if (small[t] > big[t])
			return false;
	return true;
}

/* Is e in the porf past of `of`, or equal to it? */
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

/* The write at a position of co; LP_INIT for position 0. */
static inline lp_eid lp_graph_at(const struct lp_loc *loc, uint32_t pos)
{
	return pos ? loc->co.at[pos - 1] : LP_INIT;
}

/* Copies `count` entries of a clock; `count` is a multiple of four.  The function is inline because clocks are so short that a
 * call would take longer than the copy. */
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
