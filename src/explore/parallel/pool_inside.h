/* pool_inside.h -- the layout of the memory that the processes of a pool share.  Only the files pool*.c include it. */
#ifndef LP_EXPLORE_PARALLEL_POOL_INSIDE_H
#define LP_EXPLORE_PARALLEL_POOL_INSIDE_H

#include <pthread.h>

#include "explore/parallel/pool.h"

enum {
	LP_POOL_ROOM = 1 << 16,  /* the most different outcomes */
	LP_POOL_TEXTS = 64 << 20, /* the most bytes of the texts of all outcomes */
	LP_POOL_FRAME = 1 << 30, /* the most bytes of the frame of an error */
};

enum lp_piece_state { LP_PIECE_FREE, LP_PIECE_QUEUED, LP_PIECE_RUNNING, LP_PIECE_FAILED, LP_PIECE_CANCELLED, LP_PIECE_BORDER };

struct lp_pool_slot {
	_Atomic uint32_t state; /* enum lp_piece_state */
	uint32_t size;          /* the size of the piece's item.  LP_PIECE_FAILED in a pool of parts: the size of the frame with
	                         * the error, which replaces the item */
	lp_piece before, after;
	struct lp_pool_counts done; /* what was counted between the previous piece and this one; LP_PIECE_FAILED: and in this
	                             * one */
	_Atomic double visited;
	_Atomic double end; /* where the piece ends, as a fraction of the whole tree */
	_Atomic bool cancelled;
	uint32_t worker;        /* LP_PIECE_RUNNING, LP_PIECE_CANCELLED: the worker that has taken the piece */
	uint32_t deaths;        /* how many workers were lost at the piece since it was last recorded */
	bool outdated;          /* the item still contains parts that were given away, because what is left
	                         * was too large to be recorded */
	_Atomic uint64_t executions, blocked; /* what the worker has reported, for progress lines */
	uint32_t part;          /* LP_PIECE_BORDER: the part that ends here */
	bool told;              /* LP_PIECE_FAILED in a pool of parts: rank 0 was told of the
	                         * failure */
};

/* The memory of a pool is mapped but not reserved, so unused room costs nothing. */
struct lp_pool {
	pthread_mutex_t lock;
	_Atomic uint32_t stop;    /* enum lp_pool_stop; a futex */
	_Atomic bool discarded;   /* lp_pool_discard() was called */
	_Atomic uint32_t news;    /* a futex: changes when there is work */
	_Atomic uint32_t hungry;  /* the number of waiting workers minus that of waiting pieces; 0 if this is
	                           * negative */
	struct {
		_Atomic uint64_t executions, blocked;
	} ended;                  /* sums of the executions that are no longer included in `executions`
	                           * and `blocked` of any piece */
	_Atomic uint64_t counted; /* the sum that lp_pool_count() returns */
	bool parts;               /* this is a pool of parts, which end with borders: lp_pool_add() */
	_Atomic uint32_t abroad;  /* the number of pieces that other machines wait for:
	                           * lp_pool_want() */
	uint32_t room;            /* the most pieces there can be */
	uint32_t queued, running;
	uint32_t workers;
	bool *idle;               /* by worker: does it wait for work? */
	lp_piece first, last;
	struct lp_pool_counts done;       /* what was counted after the last piece */
	uint64_t *last_outcomes;
	struct lp_pool_slot *piece;
	struct {
		size_t room;      /* bytes of a piece's item */
		uint8_t *at;      /* `room` bytes for each piece */
	} items;
	uint64_t *outcomes;       /* LP_POOL_ROOM counts for each piece, which belong to its `done` */
	struct {
		uint32_t count;
		uint32_t *at;     /* by outcome: the offset of its text in `bytes` */
		char *bytes;
		uint32_t used;
	} texts;
	struct {
		double visited;
		size_t size;
		uint8_t *at;
	} frame;                  /* the frame with the error */
	size_t size;              /* bytes of the mapping that holds all of this */
	char reason[128];         /* why the first worker that gave up did so */
};

static inline struct lp_pool_counts *lp_pool_counts_of(struct lp_pool *p, lp_piece n)
{
	return n == LP_NO_PIECE ? &p->done : &p->piece[n].done;
}

static inline uint64_t *lp_pool_outcomes_of(struct lp_pool *p, lp_piece n)
{
	return n == LP_NO_PIECE ? p->last_outcomes : p->outcomes + (size_t)n * LP_POOL_ROOM;
}

static inline uint8_t *lp_pool_item_of(struct lp_pool *p, lp_piece n)
{
	return p->items.at + n * p->items.room;
}

/* The following functions read or change the list of pieces (pool_list.c).  The lock must be held, except while there is only
 * one process.  `before` is LP_NO_PIECE for the beginning of the list. */
void lp_pool_link_after(struct lp_pool *, lp_piece, lp_piece before);
void lp_pool_take_out(struct lp_pool *, lp_piece);
lp_piece lp_pool_find_free(const struct lp_pool *);
lp_piece lp_pool_first_queued(const struct lp_pool *);
/* Is the piece LP_NO_PIECE, or the border of a part? */
bool lp_pool_is_border(const struct lp_pool *, lp_piece);
/* Puts a new piece into the list after `before`, where it waits for a worker.  There must be room. */
lp_piece lp_pool_queue_after(struct lp_pool *, lp_piece before, const uint8_t *bytes, size_t size, double from, double end);
/* Removes a piece that need not be explored. */
void lp_pool_cancel_piece(struct lp_pool *, lp_piece);
/* Marks the slot of a piece that was taken out as free. */
void lp_pool_release(struct lp_pool *, lp_piece);
void lp_pool_set_item(struct lp_pool *, lp_piece, const uint8_t *bytes, size_t size);
/* Stores the frame of the error that was found in a piece. */
void lp_pool_set_frame(struct lp_pool *, const uint8_t *bytes, size_t size, double visited);
void lp_pool_clear_counts(struct lp_pool *, lp_piece);
void lp_pool_add_counts(struct lp_pool *, lp_piece to, const struct lp_pool_counts *, const struct lp_outcome *, uint32_t count);
/* Adds the counts of the piece to those of the next one. */
void lp_pool_pass_on(struct lp_pool *, lp_piece);

/* Takes the lock.  If a process has died while it held the lock, the pool is stopped: LP_POOL_TORN. */
void lp_pool_lock(struct lp_pool *);
void lp_pool_unlock(struct lp_pool *);
/* Wakes processes that wait for the futex `word` to change.  The lock need not be held. */
void lp_pool_wake(_Atomic uint32_t *word, int how_many);

/* Do the invariants L1 to L3 of pool_validate.c hold?  They must hold whenever the lock is released.  For debug builds. */
bool lp_pool_validate(const struct lp_pool *);
/* Fills an empty pool with pieces (pool_copy.c). */
void lp_pool_fill(struct lp_pool *, const struct lp_open_work *);

/* The counts of a piece, as they are sent between machines.  Texts are on the heap. */
struct lp_pool_counted {
	struct lp_pool_counts counts;
	struct {
		LP_VEC(struct lp_outcome);
	} outcomes;
};

void lp_pool_put_counts(struct lp_pool *, lp_piece, struct lp_bytes *to);
void lp_pool_get_counted(struct lp_pool_counted *, struct lp_cursor *from);
void lp_pool_drop_counted(struct lp_pool_counted *);

#endif
