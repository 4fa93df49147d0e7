/* pool.h -- work shared by processes, with the results in the order of a single walk.
 *
 * The pieces of work that are waiting or being worked on form a list, in the order in
 * which a single depth-first walk would visit them.  A worker gives away the last part of its
 * remaining work (walk.h), so the new piece goes directly after its own in the list:
 *
 *     A              A works on everything
 *     A  a1          A has given away its last alternatives, a1
 *     A  a2  a1      then a2, which it would have visited before a1
 *     A  a2  B  b1   B has taken a1, and has given away b1
 *
 * The list is short, and is all that must be known of the order.  When a piece is finished,
 * its counts are added to the next piece in the list, as counted before it.  So each piece
 * knows what a single walk would have counted before it.  When an error is found in a
 * piece, a single walk would not have visited the pieces after it.  They are removed with
 * their counts, and their workers are told to stop; the pieces before it continue.  So the
 * error that remains at the end, and its counts, are those of the single walk, whichever
 * worker was faster.
 *
 * All of this is in memory shared by processes forked after lp_pool_open().  Any worker may be killed at any
 * time.  The pool keeps, of each piece, what is left of it as its worker has last recorded it, and what was counted
 * before that.  So if a worker is gone, its piece waits for another one.  A worker records what is left now and then, and
 * always when it has given a part away.  If one is killed just then, or while it holds the lock, what it leaves behind cannot
 * be used: the pool is discarded, also if it was stopped before, and the exploration starts again.  Every wait has a time limit.
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
	uint64_t executions, blocked, abandoned, cut, left;
	uintptr_t left_pc; /* the lowest, or 0 */
};

void lp_pool_counts_add(struct lp_pool_counts *, const struct lp_pool_counts *);

/* What an exploration has counted: read from it, and written to it. */
struct lp_pool_counts lp_pool_counts_in(const struct lp_exploration *);
void lp_pool_counts_put(const struct lp_pool_counts *, struct lp_exploration *);

struct lp_open_work;
struct lp_pool;
typedef uint32_t lp_piece; /* of work */
#define LP_NO_PIECE UINT32_MAX

/* Why all processes stop; the first reason counts. */
enum lp_pool_stop {
	LP_POOL_RUNS,
	LP_POOL_DONE,        /* there is no work left */
	LP_POOL_TIME,
	LP_POOL_INTERRUPTED,
	LP_POOL_EXECUTIONS,  /* the limit on executions is reached */
	LP_POOL_OUTCOMES,    /* there are too many different outcomes */
	LP_POOL_RESTART,     /* an assumption was false: the exploration restarts with weaker options */
	LP_POOL_BRIEF,       /* a brief look is to come first (explore.h: lp_brief) */
	LP_POOL_GAVE_UP,     /* a worker has reached a limit: lp_pool_reason() */
	LP_POOL_LOST,        /* a piece has cost too many workers */
	LP_POOL_TORN,        /* a worker was lost in the middle of a change to the pool, which is discarded */
};

/* A pool with these pieces of work (open_work.h), which are copied; or, if that is NULL, one for parts of another pool (see the end).  NULL if
 * there is no memory. */
struct lp_pool *lp_pool_open(uint32_t workers, const struct lp_open_work *);
void lp_pool_close(struct lp_pool *);

/* ---- by workers ---- */

/* Waits for a piece of work and takes it.  Its bytes are valid until it is recorded or finished.  LP_NO_PIECE
 * if the worker is to stop. */
lp_piece lp_pool_take(struct lp_pool *, uint32_t worker, const uint8_t **bytes);

/* Is a worker waiting for work that the worker of this piece can give it? */
bool lp_pool_is_hungry(const struct lp_pool *, lp_piece giver);

/* What is left of a piece, and what was counted in it since it was taken, or last recorded. */
struct lp_pool_record {
	const struct lp_bytes *rest;
	struct lp_pool_counts counts;
	const struct lp_outcome *outcomes;
	uint32_t outcome_count;
};

/* The piece is only that from now on.  False if it is too large to be kept. */
bool lp_pool_record(struct lp_pool *, lp_piece, const struct lp_pool_record *);

/* Gives away the last part of a piece, if a worker still waits for work and the bytes fit.  `from` is
 * the fraction of the whole tree that lies before it.  What is left is then to be recorded. */
bool lp_pool_give(struct lp_pool *, lp_piece giver, const struct lp_bytes *, double from);

/* Is the piece, or everything, to be abandoned? */
bool lp_pool_is_over(const struct lp_pool *, lp_piece);

/* Adds to the number of executions, and returns that of all workers, for the limit on executions. */
uint64_t lp_pool_count(struct lp_pool *, uint64_t executions);

/* For progress: the numbers of executions in this piece, and the fraction of the tree that is visited. */
void lp_pool_tell(struct lp_pool *, lp_piece, uint64_t executions, uint64_t blocked);
void lp_pool_tell_visited(struct lp_pool *, lp_piece, double visited);

/* The worker has finished a piece, with these counts since it was last recorded. */
void lp_pool_finish(struct lp_pool *, lp_piece, const struct lp_pool_counts *,
		    const struct lp_outcome *, uint32_t outcomes);

/* The worker has found an error in its piece: the frame, and the fraction of the tree before it. */
struct lp_pool_failure {
	const struct lp_bytes *frame;
	double visited;
};
void lp_pool_fail(struct lp_pool *, lp_piece, const struct lp_pool_counts *,
		  const struct lp_outcome *, uint32_t outcomes, struct lp_pool_failure);

/* The worker stops in the middle of the piece: what it has last recorded is left. */
void lp_pool_leave(struct lp_pool *, lp_piece);

/* Stops all workers, because this one has reached a limit; the piece is then finished. */
void lp_pool_give_up(struct lp_pool *, const char *reason);

/* ---- by any process ---- */

void lp_pool_stop(struct lp_pool *, enum lp_pool_stop);

/* The worker is gone without having been told to stop: another one may continue its piece. */
void lp_pool_lose(struct lp_pool *, uint32_t worker);
enum lp_pool_stop lp_pool_stopped(const struct lp_pool *);
/* Is it stopped by a limit, or by the user?  Then workers record what is left, if that is to be kept. */
bool lp_pool_keeps_rest(const struct lp_pool *);
bool lp_pool_stop_keeps_rest(enum lp_pool_stop);

/* What is in the pool does not count: it stops, if it still runs (LP_POOL_TORN), and is not copied. */
void lp_pool_discard(struct lp_pool *);
/* That, or has a process died with its lock? */
bool lp_pool_is_discarded(struct lp_pool *);

/* Waits until all are to stop, but at most for that time. */
void lp_pool_wait(struct lp_pool *, unsigned milliseconds);

/* The sums of what workers have reported for progress. */
void lp_pool_progress(const struct lp_pool *, struct lp_progress *);
/* The fraction of the whole tree that is not visited yet. */
double lp_pool_left(const struct lp_pool *);

/* The pieces as they were last recorded; `bytes` becomes what `work` points to.  False if one is not known, since a part of it was given away
 * after that, or the pool has been stopped; or if they are too large. */
bool lp_pool_copy(struct lp_pool *, struct lp_open_work *work, struct lp_bytes *bytes);

/* ---- when the workers are gone ---- */

struct lp_pool_result {
	struct lp_pool_counts counts;
	bool failed;           /* an error was found; then the next two are set */
	double visited;
	const uint8_t *frame;  /* NULL if it was too large */
};

void lp_pool_result(struct lp_pool *, struct lp_pool_result *);

/* The reason of the first worker that gave up. */
const char *lp_pool_reason(const struct lp_pool *);

/* The outcomes that were counted, sorted by text. */
const struct lp_outcome *lp_pool_outcomes(struct lp_pool *, struct lp_arena *, uint32_t *count);

/* ---- two levels ----
 *
 * The pool of one machine may have machines as workers.  What such a worker takes is a part of its own pool, in which it
 * is a list of pieces again.  A border ends each part:
 *
 *     here:     A  B  C              A and C are being worked on by another machine
 *     there:    a1 a2 |A  c1 |C      its own workers have cut A in two
 *
 * What was counted does not pass a border: at the end of a part it is at the border, and is the count of the piece here.  The last
 * piece before a border can be given to other machines: here it goes directly after its part, and what was counted between it and the border goes after it.  An error cuts a part there
 * and, since that part is told to fail, the list here.  So both lists together are the single walk's, as above.
 */

/* A piece that a machine has taken. */
struct lp_pool_piece {
	lp_piece number;
	const uint8_t *bytes; /* until it is finished */
	size_t size;
	double visited, end;  /* where it begins and ends, as fractions of the whole tree */
};

/* By the process that has the pool of machines.  Takes a piece for a machine, or notes that it waits. */
bool lp_pool_try_take(struct lp_pool *, uint32_t machine, struct lp_pool_piece *);
/* Before any piece is taken: what was counted before the first one. */
void lp_pool_begin_with(struct lp_pool *, const struct lp_pool_counts *, const struct lp_outcome *, uint32_t outcomes);
/* How many machines wait for which there is no piece. */
uint32_t lp_pool_hunger(const struct lp_pool *);
/* The machine has cut off the end of a piece; `after` is what it has counted after that.  False if there is no room for it: then work is lost. */
bool lp_pool_accept(struct lp_pool *, lp_piece giver, const struct lp_bytes *, double from, struct lp_cursor *after);
/* An error was found in the piece: what comes after it is cancelled. */
void lp_pool_foresee(struct lp_pool *, lp_piece);
/* The next piece, from that on, that is cancelled and whose machine was not told so; LP_NO_PIECE if there is none. */
lp_piece lp_pool_next_cancelled(struct lp_pool *, lp_piece from, uint32_t *machine);
/* The machine has finished a piece, or found an error in it, with that result.  False if the bytes are not such a result. */
bool lp_pool_finish_part(struct lp_pool *, lp_piece, bool failed, struct lp_cursor *result);

/* By the machine, once its workers are gone: parts that are not finished end, with what was counted. */
void lp_pool_end_parts(struct lp_pool *);
/* By the machine.  Adds a part; false if there is no room for it. */
bool lp_pool_add(struct lp_pool *, uint32_t part, const struct lp_pool_piece *);
/* All parts as bytes, as lp_pool_copy(): of each its number, a uint32_t, and its pieces (open_work.h), with what is counted at its border as
 * what comes after them. */
bool lp_pool_copy_parts(struct lp_pool *, struct lp_bytes *);
/* Other machines wait for so many pieces; and one that can be given to them, with its part, where it begins, and what was counted after it. */
void lp_pool_want(struct lp_pool *, uint32_t pieces);
bool lp_pool_withdraw(struct lp_pool *, uint32_t *part, double *from, struct lp_bytes *item, struct lp_bytes *after);
/* The part need not be explored; it then ends. */
void lp_pool_cancel(struct lp_pool *, uint32_t part);

enum lp_pool_part {
	LP_PART_NONE,
	LP_PART_FAILING, /* an error was found in it, but the pieces before that are still explored */
	LP_PART_FAILED,  /* it has ended with an error, */
	LP_PART_DONE,    /* or without */
};
/* A part of which there is news; the result of one that has ended is for lp_pool_finish_part(), and it is here no longer. */
enum lp_pool_part lp_pool_part_ended(struct lp_pool *, uint32_t *part, struct lp_bytes *result);

#endif
