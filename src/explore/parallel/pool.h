/* pool.h -- work shared by processes, and what came of it, in the order of one walk.
 *
 * The pieces of work that are waiting or being worked on form a list, in the order in
 * which a single depth-first walk would come to them.  A worker gives away the end of what
 * it has left (walk.h), so what it gives comes directly after itself in the list:
 *
 *     A              A works on everything
 *     A  a1          the last alternatives it has left are a1
 *     A  a2  a1      and then a2, which it would have come to before a1
 *     A  a2  B  b1   B has taken a1, and given b1 away
 *
 * The list is all that has to be known of the order, and it is short.  When a piece is
 * finished its counts go to the one after it, as done before that; so at every piece
 * stands what a single walk would have counted before it.  When an error is found in a
 * piece, all that comes after it would never have been visited: it is taken out, counts
 * included, and who works on it is told to stop.  What comes before goes on.  So the error
 * that is left at the end, and the counts with it, are those of the single walk, whoever
 * was fast and whoever slow.
 *
 * All of this is in memory shared by processes forked after lp_pool_open().  One of
 * them may be killed at any time: the lock survives it, and the parent, who notices, stops
 * the others.  There is no waiting that is not woken up by time.
 */
#ifndef LP_EXPLORE_PARALLEL_POOL_H
#define LP_EXPLORE_PARALLEL_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "explore/explore.h"
#include "explore/parallel/item.h"

/* What was counted. */
struct lp_pool_counts {
	uint64_t executions, blocked, abandoned, left;
	uintptr_t left_pc; /* the lowest, or 0 */
};

struct lp_pool;
typedef uint32_t lp_piece; /* of work */
#define LP_NO_PIECE UINT32_MAX

/* Why everybody stops; the first reason counts. */
enum lp_pool_stop {
	LP_POOL_RUNS,
	LP_POOL_DONE,        /* there is no work left */
	LP_POOL_TIME,
	LP_POOL_INTERRUPTED,
	LP_POOL_EXECUTIONS,  /* as many as were wanted */
	LP_POOL_OUTCOMES,    /* too many different ones */
	LP_POOL_ANEW,        /* what was relied upon is not so: to be explored without that */
	LP_POOL_GAVE_UP,     /* a worker has come to a limit: lp_pool_reason() */
	LP_POOL_LOST,        /* a worker is lost */
};

/* A pool with one piece of work: everything.  NULL if there is no memory. */
struct lp_pool *lp_pool_open(uint32_t workers, const struct lp_bytes *everything);
void lp_pool_close(struct lp_pool *);

/* ---- by workers ---- */

/* The next piece of work, and its bytes, which hold until it is finished; waits for one.
 * LP_NO_PIECE if everybody is to stop. */
lp_piece lp_pool_take(struct lp_pool *, const uint8_t **bytes);

/* Would somebody take work? */
bool lp_pool_is_hungry(const struct lp_pool *);

/* Gives away the end of a piece, if somebody still wants it and it fits.  It begins where
 * `from` of the whole has been visited. */
bool lp_pool_give(struct lp_pool *, lp_piece giver, const struct lp_bytes *, double from);

/* Is the piece, or everything, to be abandoned? */
bool lp_pool_is_over(const struct lp_pool *, lp_piece);

/* So many executions more: how many by all workers?  For a limit on that. */
uint64_t lp_pool_count(struct lp_pool *, uint64_t executions);

/* For progress: how many executions in this piece; and how much lies before. */
void lp_pool_tell(struct lp_pool *, lp_piece, uint64_t executions, uint64_t blocked);
void lp_pool_tell_visited(struct lp_pool *, lp_piece, double visited);

/* The worker is done with a piece: what was counted in it. */
void lp_pool_finish(struct lp_pool *, lp_piece, const struct lp_pool_counts *,
		    const struct lp_outcome *, uint32_t outcomes);

/* The same because of an error: its frame; and how much of the whole lies before. */
struct lp_pool_failure {
	const struct lp_bytes *frame;
	double visited;
};
void lp_pool_fail(struct lp_pool *, lp_piece, const struct lp_pool_counts *,
		  const struct lp_outcome *, uint32_t outcomes, struct lp_pool_failure);

/* Stops everybody because of a limit that the worker has come to; the piece is then finished. */
void lp_pool_give_up(struct lp_pool *, const char *reason);

/* ---- by anybody ---- */

void lp_pool_stop(struct lp_pool *, enum lp_pool_stop);
enum lp_pool_stop lp_pool_stopped(const struct lp_pool *);

/* Waits until everybody stops, but at most for that time. */
void lp_pool_wait(struct lp_pool *, unsigned milliseconds);

/* What was told for progress. */
void lp_pool_progress(const struct lp_pool *, struct lp_progress *);

/* ---- when the workers are gone ---- */

struct lp_pool_result {
	struct lp_pool_counts counts;
	bool failed;           /* an error was found: */
	double visited;
	const uint8_t *frame;  /* NULL if it was too large */
};

void lp_pool_result(struct lp_pool *, struct lp_pool_result *);

/* Of the first worker that gave up. */
const char *lp_pool_reason(const struct lp_pool *);

/* The outcomes that were counted, sorted by text. */
const struct lp_outcome *lp_pool_outcomes(struct lp_pool *, struct lp_arena *, uint32_t *count);

#endif
