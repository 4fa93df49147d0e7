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
 * The list is short, and contains everything that must be known of the order.  Each piece also has
 * the counts of the finished work between the previous piece in the list and this one.  When a piece is
 * finished, these counts and its own are added to those of the next piece.  So when a piece has become
 * the first of the list, it has the counts of everything that a single walk would have visited before it.
 *
 * When an error is found in a piece, the pieces after it are removed with their counts, because a single
 * walk would have stopped at the error.  The workers of these pieces are told to stop.  The pieces before
 * the error continue.  So the error that remains at the end, and the counts, are those of the single walk,
 * independently of the speed of the workers.
 *
 * The pool is in memory shared by processes forked after lp_pool_open().  Any worker may be killed at any
 * time.  A worker records in the pool what is left of its piece, and what it has counted so far: from time to time, and
 * always when it has given a part away.  If the worker is killed, the piece as last recorded waits for another worker.  But if a
 * worker is killed between giving a part away and recording, or while it holds the lock, the pool cannot be used any more,
 * and the exploration starts from the beginning.  Every wait has a time limit.
 */
#ifndef LP_EXPLORE_PARALLEL_POOL_H
#define LP_EXPLORE_PARALLEL_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "explore/explore.h"
#include "explore/parallel/item.h"

/* What was counted.  The members are those of struct lp_exploration (explore.h). */
struct lp_pool_counts {
	uint64_t executions, blocked, abandoned, cut, left;
	uintptr_t left_pc;
};

void lp_pool_counts_add(struct lp_pool_counts *, const struct lp_pool_counts *);

/* The counts of an exploration: the first function reads them, the second one writes them. */
struct lp_pool_counts lp_pool_counts_in(const struct lp_exploration *);
void lp_pool_counts_put(const struct lp_pool_counts *, struct lp_exploration *);

struct lp_open_work;
struct lp_pool;
typedef uint32_t lp_piece; /* the number of a piece of work */
#define LP_NO_PIECE UINT32_MAX

/* Why all processes stop; the first reason counts. */
enum lp_pool_stop {
	LP_POOL_RUNS,        /* they do not stop */
	LP_POOL_DONE,        /* there is no work left */
	LP_POOL_TIME,
	LP_POOL_INTERRUPTED,
	LP_POOL_EXECUTIONS,  /* the limit on executions is reached */
	LP_POOL_OUTCOMES,    /* there are too many different outcomes */
	LP_POOL_RESTART,     /* an assumption was false: the exploration restarts with weaker options */
	LP_POOL_BRIEF,       /* a brief look is to come first (explore.h: lp_brief) */
	LP_POOL_GAVE_UP,     /* a worker has reached a limit: lp_pool_reason() */
	LP_POOL_LOST,        /* too many workers were killed while they explored the same piece, a worker ended with an error, or
	                      * no worker is left and none can be started */
	LP_POOL_TORN,        /* a worker was lost in the middle of a change to the pool, which is discarded */
};

/* Opens a pool with these pieces of work (open_work.h), which are copied.  If the work is NULL, the pool is for parts of another pool ("two
 * levels" below).  Returns NULL if there is no memory. */
struct lp_pool *lp_pool_open(uint32_t workers, const struct lp_open_work *);
void lp_pool_close(struct lp_pool *);

/* ---- by workers ---- */

/* Waits for a piece of work and takes it.  `*bytes`, its item, is valid until the piece is recorded or
 * finished.  Returns LP_NO_PIECE if the worker is to stop. */
lp_piece lp_pool_take(struct lp_pool *, uint32_t worker, const uint8_t **bytes);

/* Should the worker of this piece give a part away, because another worker or machine waits for
 * work? */
bool lp_pool_is_hungry(const struct lp_pool *, lp_piece giver);

/* What is left of a piece, and what was counted in it since it was taken or last recorded. */
struct lp_pool_record {
	const struct lp_bytes *rest;
	struct lp_pool_counts counts;
	const struct lp_outcome *outcomes;
	uint32_t outcome_count;
};

/* From now on the piece consists only of the record's `rest`.  Returns false if `rest` is too large to be kept. */
bool lp_pool_record(struct lp_pool *, lp_piece, const struct lp_pool_record *);

/* Gives away the last part of a piece, if a worker or machine still waits for work and the bytes fit.  The bytes
 * are the item of that part, and `from` is the fraction of the whole tree before it.  Returns true if the part was
 * given away: then the worker must record what is left. */
bool lp_pool_give(struct lp_pool *, lp_piece giver, const struct lp_bytes *, double from);

/* Is the piece cancelled, or the pool stopped? */
bool lp_pool_is_over(const struct lp_pool *, lp_piece);

/* Adds to the number of executions of all workers, and returns the sum.  For the limit on executions. */
uint64_t lp_pool_count(struct lp_pool *, uint64_t executions);

/* For progress lines.  lp_pool_tell() sets the numbers of complete and of blocked executions in this piece since it
 * was last recorded.  lp_pool_tell_visited() sets the position that the walk has reached, as a fraction of the tree. */
void lp_pool_tell(struct lp_pool *, lp_piece, uint64_t executions, uint64_t blocked);
void lp_pool_tell_visited(struct lp_pool *, lp_piece, double visited);

/* The worker has finished a piece.  The counts are those since the piece was last recorded. */
void lp_pool_finish(struct lp_pool *, lp_piece, const struct lp_pool_counts *,
		    const struct lp_outcome *, uint32_t outcomes);

/* An error that a worker has found in its piece: the frame with the error, and the fraction of the tree before the error. */
struct lp_pool_failure {
	const struct lp_bytes *frame;
	double visited;
};
void lp_pool_fail(struct lp_pool *, lp_piece, const struct lp_pool_counts *,
		  const struct lp_outcome *, uint32_t outcomes, struct lp_pool_failure);

/* The worker stops in the middle of the piece.  What was last recorded of the piece remains to be
 * done. */
void lp_pool_leave(struct lp_pool *, lp_piece);

/* Stops all workers, because this one has reached a limit.  To be called before this worker finishes its piece. */
void lp_pool_give_up(struct lp_pool *, const char *reason);

/* ---- by any process ---- */

void lp_pool_stop(struct lp_pool *, enum lp_pool_stop);

/* The worker is gone without having been told to stop: another worker may continue its piece. */
void lp_pool_lose(struct lp_pool *, uint32_t worker);
enum lp_pool_stop lp_pool_stopped(const struct lp_pool *);
/* lp_pool_keeps_rest(): has a limit of time or executions, or the user, stopped the pool?  Then workers record what is left, if it is
 * to be kept (keep.h).  lp_pool_stop_keeps_rest(): is the given reason one of these? */
bool lp_pool_keeps_rest(const struct lp_pool *);
bool lp_pool_stop_keeps_rest(enum lp_pool_stop);

/* Discards the pool: its counts and its error are not used, and it cannot be copied any more.  If the pool still runs, it
 * stops with LP_POOL_TORN. */
void lp_pool_discard(struct lp_pool *);
/* Was the pool discarded, or has a process died while it held the pool's lock? */
bool lp_pool_is_discarded(struct lp_pool *);

/* Waits until the pool stops, but at most for that time. */
void lp_pool_wait(struct lp_pool *, unsigned milliseconds);

/* The sums of what workers have reported by lp_pool_tell(). */
void lp_pool_progress(const struct lp_pool *, struct lp_progress *);
/* The fraction of the whole tree that is not visited yet. */
double lp_pool_left(const struct lp_pool *);

/* Copies the pieces as they were last recorded; the items and texts to which `work` points are in `bytes`.  Returns false if a part of a piece was
 * given away after the last record, if the pool was discarded or has stopped without keeping what is left, or if the copy is too large. */
bool lp_pool_copy(struct lp_pool *, struct lp_open_work *work, struct lp_bytes *bytes);

/* ---- when the workers are gone ---- */

struct lp_pool_result {
	struct lp_pool_counts counts;
	bool failed;           /* an error was found; then `visited` and `frame` are set */
	double visited;
	const uint8_t *frame;  /* NULL if the frame was too large */
};

void lp_pool_result(struct lp_pool *, struct lp_pool_result *);

/* The reason of the first worker that gave up. */
const char *lp_pool_reason(const struct lp_pool *);

/* The outcomes that were counted, sorted by text. */
const struct lp_outcome *lp_pool_outcomes(struct lp_pool *, struct lp_arena *, uint32_t *count);

/* ---- two levels ----
 *
 * The pool of rank 0 (team.h) may have machines as workers.  Each machine has a pool of its own.  A piece that a machine takes
 * becomes a *part* of the machine's pool: a list of pieces that ends with a *border*:
 *
 *     here:     A  B  C              another machine has taken A and C
 *     there:    a1 a2 |A  c1 |C      its own workers have cut A in two
 *
 * Counts are not passed on beyond a border.  So when a part has ended, its border has the counts of the whole piece A or C. The last piece before a border can be
 * given to another machine: it is put directly after the piece A or C in the list of rank 0, with what was counted between this last piece and the border.  When
 * an error is found, the pieces after it in its part are removed.  Rank 0 is told of the error, and removes the pieces after A or C in its own list.  So both
 * lists together have the order and the counts of the single walk, as in one pool.
 */

/* A piece that a machine has taken. */
struct lp_pool_piece {
	lp_piece number;
	const uint8_t *bytes; /* its item; valid until the piece is finished */
	size_t size;
	double visited, end;  /* where the piece begins and ends, as fractions of the whole tree */
};

/* The following functions are for rank 0, which has the pool of machines. */

/* Takes a piece for a machine.  If there is none, notes that the machine waits, and returns false. */
bool lp_pool_try_take(struct lp_pool *, uint32_t machine, struct lp_pool_piece *);
/* Sets the counts of what was visited before the first piece.  To be called before any piece is taken. */
void lp_pool_begin_with(struct lp_pool *, const struct lp_pool_counts *, const struct lp_outcome *, uint32_t outcomes);
/* The number of waiting machines for which the pool has no piece. */
uint32_t lp_pool_hunger(const struct lp_pool *);
/* The machine that explores `giver` has cut off the end of this piece.  The end becomes a new piece with these bytes as its item; `after` has what the
 * machine has counted after that end.  Returns false if there is no room for the new piece: then work is lost. */
bool lp_pool_accept(struct lp_pool *, lp_piece giver, const struct lp_bytes *, double from, struct lp_cursor *after);
/* To be called when an error was found in a piece that has not ended yet: cancels the pieces after it. */
void lp_pool_foresee(struct lp_pool *, lp_piece);
/* The first piece, from number `from` on, that is cancelled and whose machine was not told so yet; LP_NO_PIECE if there
 * is none. */
lp_piece lp_pool_next_cancelled(struct lp_pool *, lp_piece from, uint32_t *machine);
/* To be called when a machine has finished a piece, or its part has ended with an error.  `result` is what lp_pool_part_ended()
 * has written on that machine.  Returns false if the bytes are malformed. */
bool lp_pool_finish_part(struct lp_pool *, lp_piece, bool failed, struct lp_cursor *result);

/* The following functions are for a machine that has a pool of parts. */

/* Ends all parts that are not finished, with their counts so far.  To be called when the workers have ended. */
void lp_pool_end_parts(struct lp_pool *);
/* Adds a part to the pool.  Returns false if there is no room. */
bool lp_pool_add(struct lp_pool *, uint32_t part, const struct lp_pool_piece *);
/* Copies all parts as bytes, under the same conditions as lp_pool_copy().  Each part is written as its number, a uint32_t, followed by its pieces as
 * open work (open_work.h), whose member `after` has the counts of the part's border. */
bool lp_pool_copy_parts(struct lp_pool *, struct lp_bytes *);
/* lp_pool_want() notes how many pieces other machines wait for.  lp_pool_withdraw() takes a piece out of the pool for them, and sets the piece's
 * part, where the piece begins, its item, and what was counted after it.  It returns false if no piece can be taken out. */
void lp_pool_want(struct lp_pool *, uint32_t pieces);
bool lp_pool_withdraw(struct lp_pool *, uint32_t *part, double *from, struct lp_bytes *item, struct lp_bytes *after);
/* Ends the part, because it need not be explored. */
void lp_pool_cancel(struct lp_pool *, uint32_t part);

enum lp_pool_part {
	LP_PART_NONE,
	LP_PART_FAILING, /* an error was found in the part, but the pieces before it are still
	                  * explored */
	LP_PART_FAILED,  /* the part has ended with an error */
	LP_PART_DONE,    /* the part has ended without an error */
};
/* Finds a part that has ended, or in which an error was found.  If it has ended, `result` becomes the argument for
 * lp_pool_finish_part(), and the part is removed from the pool. */
enum lp_pool_part lp_pool_part_ended(struct lp_pool *, uint32_t *part, struct lp_bytes *result);

#endif
