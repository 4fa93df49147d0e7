/* schedule.h -- inside the bounded explorer: what the cheapest schedule of a graph costs, under sc.
 *
 * A schedule of a graph is an order of its events that contains po, rf, co, fr, and the edges of spawn and join.
 * It consists of blocks: stretches of events of one thread.  There are three kinds of cost:
 *
 *     preemptions  the number of blocks at the end of which the thread has not ended and cannot be left freely (enum lp_leave);
 *     delays       a scheduler goes round the threads, in the order of their numbers, and runs each until it can be left freely.  It
 *                  makes a delay whenever it passes over a thread that cannot be left freely, or takes the processor from such a
 *                  thread.  The cost is the number of delays;
 *     rounds       in a round every thread has at most one block, and these blocks are in the order of the threads' numbers.  The cost is
 *                  the number of rounds.
 *
 * Delays and rounds depend on the numbers of threads.  Like threads (`like`) may exchange their numbers: the cost is that of the
 * cheapest numbering.  So executions that differ only in the names of like threads cost the same.
 *
 * Costs are defined for a part of a graph.  A part has the first events of each thread, and if it has a read, it also has the rf of this
 * read.
 *
 * Claim (monotony): a smaller part costs no more than a larger part that contains it.  Take a schedule of the larger part, and leave out the events
 * that are not in the smaller part.  A thread then has fewer blocks, or some of its blocks merge, because the events left out of a thread are its
 * last ones.  Where a block of the smaller part ends, a block ended before the same event in the larger part, or the thread has no more events.  So
 * the numbers of preemptions and rounds do not grow.  Neither does the number of delays: on the way from thread t to thread u and on to thread v, the
 * scheduler passes over every thread that it passes over on the way from t directly to v.
 *
 * A switch before an event with LP_LEAVE_IF_WAITS is free in all costs except the exact number of preemptions.  In that cost it is free only
 * while the operation would have to wait with the values that memory has at that time.  The claim does not hold for this cost, because the write that
 * makes a thread wait may be missing in a part.
 */
#ifndef LP_EXPLORE_BOUND_SCHEDULE_H
#define LP_EXPLORE_BOUND_SCHEDULE_H

#include "explore/graph/seen.h"
#include "graph/graph.h"

/* What does it cost to switch away from a thread before its next event? */
enum lp_leave {
	LP_LEAVE_COSTS,    /* a preemption or a delay */
	LP_LEAVE_IF_WAITS, /* nothing, because the operation may have to wait; for the exact number of preemptions, nothing only while it
	                    * has to wait */
	LP_LEAVE_FREE,     /* nothing */
	LP_LEAVE_LENT,     /* nothing; and for delays and rounds the thread performs the operation without having a turn */
};

/* The end of a block: the thread has performed its first `position` events. */
struct lp_block_end {
	uint32_t thread, position;
};

struct lp_schedule {
	const struct lp_graph *g;
	uint32_t threads, events;
	uint32_t *length;      /* by thread: the number of its events in the part */
	uint32_t *like;        /* by thread: the first of the threads that it is like; the thread itself if it is
	                        * like no earlier one */
	uint32_t *turn;        /* by number: the thread that has this number, for delays and rounds; LP_NO_THREAD: no thread has been
	                        * chosen yet */
	uint8_t *leave;        /* by event: enum lp_leave */
	bool lends;            /* some `leave` is LP_LEAVE_LENT */
	uint32_t *need;        /* by event, a clock: the events that must come before it in every schedule */
	uint32_t room_threads, room_events, room_need;
	lp_eid later;          /* a read that will read from a write that is not in the graph yet; or LP_NO_EVENT */
	uint32_t *after;       /* a clock: the events that must come before `later` */
	uint32_t limit;        /* the cost up to which a schedule is searched for */
	uint32_t tries;        /* when numbers must be chosen: how many attempts are left before the search gives up */
	uint32_t goal;         /* for the exact number of preemptions: the thread that must perform all its events; LP_NO_THREAD: all
	                        * threads must */
	struct { LP_VEC(uint32_t); } positions; /* a clock for each depth of the search */
	struct { LP_VEC(struct lp_block_end); } path; /* the schedule, if a search has found one */
	struct lp_seen seen;   /* the positions that the search has reached (lp_schedule_enters()) */
	/* For the exact number of preemptions: would the read have to wait if memory had this value? */
	bool (*waits)(void *closure, lp_eid read, struct lp_value);
	void *closure;
};

/* Begins with the whole of `g` as the part.  Fills in `length`, `like` (no thread is like another one) and `leave` (LP_LEAVE_COSTS for all
 * events).  The caller may then change these. */
void lp_schedule_begin(struct lp_schedule *, const struct lp_graph *g);
/* Fills in `need` and `lends`.  To be called when the part and `leave` are known. */
void lp_schedule_relate(struct lp_schedule *);
void lp_schedule_close(struct lp_schedule *);

/* Is there a schedule of the part that costs at most `limit`? */
bool lp_schedule_has_preemptions(struct lp_schedule *, uint32_t limit);
bool lp_schedule_has_exact_preemptions(struct lp_schedule *, uint32_t limit);

/* The same for delays and rounds.  Here the search gives up if there are too many ways to number the threads. */
enum lp_schedule_found {
	LP_SCHEDULE_NONE,
	LP_SCHEDULE_FOUND,
	LP_SCHEDULE_UNDECIDED, /* the search gave up: `path` is not a schedule */
};
enum lp_schedule_found lp_schedule_find_delays(struct lp_schedule *, uint32_t limit);
enum lp_schedule_found lp_schedule_find_rounds(struct lp_schedule *, uint32_t limit);

#endif
