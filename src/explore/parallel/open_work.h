/* open_work.h -- what is left of an exploration, and what was counted, at one moment.
 *
 * Open work is a list of the pieces of pool.h, in the order of a single walk.  Each piece has its item, and what was counted between the
 * previous piece and this one.  If an error was found in a piece, that piece is the last one, and its item is the graph with the error.
 * lp_open_work_write() writes the list as bytes, which have the same meaning in every process that has loaded the same program at the same addresses.
 */
#ifndef LP_EXPLORE_PARALLEL_OPEN_WORK_H
#define LP_EXPLORE_PARALLEL_OPEN_WORK_H

#include "explore/parallel/pool.h"

struct lp_work_counted {
	struct lp_pool_counts counts;
	struct {
		LP_VEC(struct lp_outcome);
	} outcomes;
};

struct lp_open_piece {
	struct lp_work_counted before; /* what was counted between the previous piece and this one */
	double visited, end; /* where the piece begins and ends, as fractions of the whole tree */
	const uint8_t *item;
	uint32_t size;
	bool failed;         /* an error was found in the piece: `item` has the graph with the error, and `before` includes what was
	                      * counted in the piece */
	/* Set only by lp_pool_copy(), and not written as bytes: the number of the piece in the pool, and the worker that
	 * explores it; LP_NO_WORKER if none does. */
	lp_piece number;
	uint32_t worker;
};
#define LP_NO_WORKER UINT32_MAX

/* Items and texts belong to the code that has filled them in. */
struct lp_open_work {
	LP_VEC(struct lp_open_piece);
	struct lp_work_counted after; /* what was counted after the last piece */
};

/* Makes open work with one piece, the whole exploration.  `root` is the item of the empty graph. */
void lp_open_work_all(struct lp_open_work *, const struct lp_bytes *root);
void lp_open_work_drop(struct lp_open_work *);

/* The sum of all counts, without outcomes. */
struct lp_pool_counts lp_open_work_counts(const struct lp_open_work *);

/* Adds counts and outcomes.  The text of a new outcome is copied to the arena; if the arena is NULL, the
 * outcome points to the caller's text. */
void lp_work_counted_add(struct lp_work_counted *, const struct lp_pool_counts *, const struct lp_outcome *, uint32_t count,
		    struct lp_arena *);

/* Composes the work that is left on several machines (pool.h: two levels).  `whole` is a copy of the pool of machines.  For a piece that the machine
 * `worker` has taken, part_of() returns what is left of it; NULL if the machine has not received the piece yet, so that the whole piece is left.
 * `out` points to the items and texts of `whole` and of the parts. */
typedef const struct lp_open_work *lp_open_work_part(void *closure, uint32_t worker, lp_piece);
void lp_open_work_compose(const struct lp_open_work *whole, lp_open_work_part *part_of, void *closure, struct lp_open_work *out);

void lp_open_work_write(const struct lp_open_work *, struct lp_bytes *);

/* Reads what lp_open_work_write() has written.  Items and texts point into these bytes.  Returns false if the bytes are
 * malformed; then there is nothing to drop. */
bool lp_open_work_read(struct lp_open_work *, struct lp_cursor *);

#endif
