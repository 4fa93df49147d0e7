/* open_work.h -- what is left of an exploration, and what was counted, at one moment.
 *
 * These are the pieces of pool.h in the order of a single walk, each with its item and with what was counted before it and
 * after the piece before.  If an error was found in one, that is the last piece, and its item is the graph of the error.  The bytes have the
 * same meaning in every process that has loaded the same program at the same addresses.
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
	struct lp_work_counted before;
	double visited, end; /* the part of the tree that it is */
	const uint8_t *item;
	uint32_t size;
	bool failed;         /* an error was found in it: the item is that of the graph, and `before` includes what was counted in it */
	/* Of a copy of a pool, and not written: which piece it is, and of which worker, or LP_NO_WORKER. */
	lp_piece number;
	uint32_t worker;
};
#define LP_NO_WORKER UINT32_MAX

/* Items and texts belong to the code that filled them in. */
struct lp_open_work {
	LP_VEC(struct lp_open_piece);
	struct lp_work_counted after; /* the last piece */
};

/* Only the piece with everything: the item of the empty graph. */
void lp_open_work_all(struct lp_open_work *, const struct lp_bytes *root);
void lp_open_work_drop(struct lp_open_work *);

/* What was counted in all, without outcomes. */
struct lp_pool_counts lp_open_work_counts(const struct lp_open_work *);

/* Adds to what was counted.  The text of a new outcome is copied to the arena, unless that is NULL. */
void lp_work_counted_add(struct lp_work_counted *, const struct lp_pool_counts *, const struct lp_outcome *, uint32_t count,
		    struct lp_arena *);

/* What is left on several machines (pool.h: two levels).  `whole` is a copy of the pool of machines.  part_of() returns what is left of a piece on its
 * machine; NULL: all of it, since the machine did not have it yet.  Items and texts stay where they are. */
typedef const struct lp_open_work *lp_open_work_part(void *closure, uint32_t worker, lp_piece);
void lp_open_work_compose(const struct lp_open_work *whole, lp_open_work_part *part_of, void *closure, struct lp_open_work *out);

void lp_open_work_write(const struct lp_open_work *, struct lp_bytes *);

/* Items and texts stay where they are.  False if the bytes are not those of any open work; then there is nothing to drop. */
bool lp_open_work_read(struct lp_open_work *, struct lp_cursor *);

#endif
