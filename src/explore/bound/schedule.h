/* schedule.h -- inside the bounded explorer: what the cheapest schedule of a graph costs, under sc.
 *
 * A schedule of a graph is an order of its events that contains po, rf, co, fr, and the edges of spawn and join.
 * It consists of blocks: stretches of events of one thread.  Three costs are known:
 *
 *     preemptions  blocks at the end of which the thread has not ended and cannot be left freely (lp_leave);
 *     delays       of a scheduler that goes round the threads and runs each until it can be left freely: how often it
 *                  has passed over, or taken the processor from, a thread that could not be left freely;
 *     rounds       in a round every thread has one block at most, in the order of their numbers.
 *
 * Delays and rounds go by the numbers of threads.  Of like threads (`like`) any may go by any of their numbers: the cost is that of the
 * cheapest way to number them, so that executions that differ in the names of like threads cost the same.
 *
 * Costs are those of a part of a graph: of each thread its first events, so that with a read its rf is in the part, too.
 *
 * Claim (monotony): a part of a part costs no more.  Take a schedule of the larger part, and leave out the events
 * that are not in the smaller one.  Blocks of a thread become fewer, or merge, since what is left out of a thread is at its
 * end; and where a block of the smaller part ends, one ended before the same event in the larger part, or the thread
 * has ended now.  So preemptions and rounds do not become more.  Nor do delays: from t by way of u to v the scheduler
 * passes over all those that it passes over from t directly to v.
 *
 * LP_LEAVE_IF_WAITS is free in all costs but the exact number of preemptions.  There it is free only while the operation
 * would have to wait, with the values that memory has then; this is not monotonous, as a part may lack the write because of
 * which a thread waits.
 */
#ifndef LP_EXPLORE_BOUND_SCHEDULE_H
#define LP_EXPLORE_BOUND_SCHEDULE_H

#include "explore/graph/seen.h"
#include "graph/graph.h"

/* May the processor be taken from a thread whose next event that is? */
enum lp_leave {
	LP_LEAVE_COSTS,
	LP_LEAVE_IF_WAITS, /* the operation may have to wait */
	LP_LEAVE_FREE,
	LP_LEAVE_LENT,     /* likewise; and in delays and rounds the operation takes no turn: the thread that runs performs it */
};

struct lp_block_end {
	uint32_t thread, position; /* events of the thread that have been performed */
};

struct lp_schedule {
	const struct lp_graph *g;
	uint32_t threads, events;
	uint32_t *length;      /* by thread: events in the part */
	uint32_t *like;        /* by thread: the first of the threads that it is like, itself if there is none */
	uint32_t *turn;        /* by number: the thread that goes by it in delays and rounds; LP_NO_THREAD: not chosen yet */
	uint8_t *leave;        /* by event: enum lp_leave */
	uint32_t *need;        /* by event, a clock: the events that come before it */
	uint32_t room_threads, room_events, room_need;
	lp_eid later;          /* a read that is to read from a write which is not there yet, and comes after `after`; or LP_NO_EVENT */
	uint32_t *after;       /* a clock */
	uint32_t limit;
	uint32_t tries;        /* of a search with numbers to choose: left, before it gives up */
	uint32_t goal;         /* for the exact number: the thread that is to come to its end; LP_NO_THREAD: all are */
	struct { LP_VEC(uint32_t); } positions; /* a clock for each depth of the search */
	struct { LP_VEC(struct lp_block_end); } path; /* after a search that found one: the schedule */
	struct lp_seen seen;
	/* For the exact number: would that read have to wait for a value other than this one? */
	bool (*waits)(void *closure, lp_eid read, struct lp_value);
	void *closure;
};

/* Begins with all of `g`: length, like (no thread is like another one) and leave (LP_LEAVE_COSTS) are filled in, and may then be changed. */
void lp_schedule_begin(struct lp_schedule *, const struct lp_graph *g);
/* The part is known: fills in `need`. */
void lp_schedule_relate(struct lp_schedule *);
void lp_schedule_close(struct lp_schedule *);

/* Is there a schedule of the part that costs no more than that? */
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
