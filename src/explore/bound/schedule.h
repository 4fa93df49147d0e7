/* schedule.h -- inside the bounded explorer: what the cheapest schedule of a graph costs, under sc.
 *
 * A schedule of a graph is an order of its events that contains po, rf, co, fr, and the edges of spawn and join.
 * It consists of blocks: stretches of events of one thread.  There are three kinds of cost:
 *
 *     preemptions  blocks at the end of which the thread has not ended and cannot be left freely (lp_leave);
 *     delays       a scheduler goes round the threads and runs each until it can be left freely.  It makes a delay
 *                  whenever it passes over a thread that cannot be left freely, or takes the processor from one;
 *     rounds       in a round every thread has one block at most, in the order of their numbers.
 *
 * Delays and rounds depend on the numbers of threads.  Like threads (`like`) may exchange their numbers: the cost is that of the
 * cheapest numbering, so that executions which differ only in the names of like threads cost the same.
 *
 * Costs are defined for a part of a graph.  A part has the first events of each thread, and with a read also its rf.
 *
 * Claim (monotony): a part of a part costs no more.  Take a schedule of the larger part, and leave out the events
 * that are not in the smaller one.  A thread then has fewer blocks, or some of its blocks merge, because the events left out
 * of a thread are its last ones.  Where a block of the smaller part ends, a block ended before the same event in the larger
 * part, or the thread has no more events.  So the numbers of preemptions and rounds do not grow.  Neither does the number of
 * delays: on the way from t to u and on to v the scheduler passes over every thread that it passes over on the way from t
 * directly to v.
 *
 * LP_LEAVE_IF_WAITS is free in all costs but the exact number of preemptions.  There it is free only while the operation
 * would have to wait with the values that memory has at that time.  This rule is not monotonous, because the write that
 * makes a thread wait may be missing in a part.
 */
#ifndef LP_EXPLORE_BOUND_SCHEDULE_H
#define LP_EXPLORE_BOUND_SCHEDULE_H

#include "explore/graph/seen.h"
#include "graph/graph.h"

/* What does it cost to switch away from a thread before this event, its next one? */
enum lp_leave {
	LP_LEAVE_COSTS,
	LP_LEAVE_IF_WAITS, /* the operation may have to wait */
	LP_LEAVE_FREE,
	LP_LEAVE_LENT,     /* nothing; and for delays and rounds the thread performs the operation without having a turn */
};

struct lp_block_end {
	uint32_t thread, position; /* events of the thread that have been performed */
};

struct lp_schedule {
	const struct lp_graph *g;
	uint32_t threads, events;
	uint32_t *length;      /* by thread: the number of its events in the part */
	uint32_t *like;        /* by thread: the first of the threads that it is like; the thread itself if it is
	                        * like no earlier one */
	uint32_t *turn;        /* by number: the thread that has this number for delays and rounds; LP_NO_THREAD: not chosen
	                        * yet */
	uint8_t *leave;        /* by event: enum lp_leave */
	bool lends;            /* some `leave` is LP_LEAVE_LENT */
	uint32_t *need;        /* by event, a clock: the events that come before it */
	uint32_t room_threads, room_events, room_need;
	lp_eid later;          /* a read that will read from a write that is not in the graph yet; or LP_NO_EVENT */
	uint32_t *after;       /* a clock: the events that come before `later` */
	uint32_t limit;
	uint32_t tries;        /* when numbers must be chosen: how many attempts are left before the search gives up */
	uint32_t goal;         /* for the exact number: the thread that must perform all its events; LP_NO_THREAD: all
	                        * threads must */
	struct { LP_VEC(uint32_t); } positions; /* a clock for each depth of the search */
	struct { LP_VEC(struct lp_block_end); } path; /* the schedule, if a search has found one */
	struct lp_seen seen;
	/* For the exact number of preemptions: would the read have to wait if memory had this value? */
	bool (*waits)(void *closure, lp_eid read, struct lp_value);
	void *closure;
};

/* Begins with the whole of `g` as the part.  Fills in `length`, `like` (no thread is like another one) and `leave` (always LP_LEAVE_COSTS),
 * which the caller may then change. */
void lp_schedule_begin(struct lp_schedule *, const struct lp_graph *g);
/* Fills in `need` and `lends`.  To be called when the part and `leave` are known. */
void lp_schedule_relate(struct lp_schedule *);
void lp_schedule_close(struct lp_schedule *);

/* Is there a schedule of the part that costs at most `limit`? */
bool lp_schedule_has_preemptions(struct lp_schedule *, uint32_t limit);
bool lp_schedule_has_exact_preemptions(struct lp_schedule *, uint32_t limit);

/* The same for delays and rounds, where the search gives up if there are many ways to number the threads. */
enum lp_schedule_found {
	LP_SCHEDULE_NONE,
	LP_SCHEDULE_FOUND,
	LP_SCHEDULE_UNDECIDED, /* the search gave up: `path` is not a schedule */
};
enum lp_schedule_found lp_schedule_find_delays(struct lp_schedule *, uint32_t limit);
enum lp_schedule_found lp_schedule_find_rounds(struct lp_schedule *, uint32_t limit);

#endif
