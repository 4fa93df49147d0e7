/* live_box.h -- the common part of the live checkers of queues and stacks: the values in the object.
 *
 * Each value that is in the object or about to be inserted has an item.  (Brief values have none: live_brief.h.)  A value is
 * *certain* from the end of its insertion to the start of its removal.
 *
 *     insert(v)  |------|
 *     remove(v)                     |-----|
 *                       '- certain -'
 *
 * The certain values form a list, in the order in which they became certain.  An item is freed when the insertion and the removal
 * have ended, because from then on the value affects no other call.
 *
 * After a gap, the object may hold values whose insertion was not recorded.  No removal of such a value can
 * start after the time `unknown_until`.  `unknown_until` is LP_LIVE_NEVER as long as this time is not known; it is 0 if there was
 * never such a value.
 */
#ifndef LP_MONITOR_LIVE_LIVE_BOX_H
#define LP_MONITOR_LIVE_LIVE_BOX_H

#include "base/vec.h"
#include "monitor/index.h"
#include "monitor/live/live_checker.h"

enum lp_box_flags {
	LP_BOX_IN = 1,        /* the insertion has started */
	LP_BOX_IN_DONE = 2,
	LP_BOX_OUT = 4,
	LP_BOX_OUT_DONE = 8,
	LP_BOX_CERTAIN = 16,
	LP_BOX_UNCLEAR = 32,  /* the value is not checked, because it was inserted while it might have been present */
	LP_BOX_HELD = 64,     /* stacks: the item belongs to a knot (live_stack.c) */
	LP_BOX_HIDDEN = 128,  /* insertion and removal have ended; the item is kept only for its knot */
};

struct lp_box_item {
	int64_t value;
	uint64_t in_start, in_end, out_start, out_end;
	uint64_t seq;           /* values that became certain later have a larger number */
	uint32_t in_thread, out_thread;
	uint32_t before, after; /* its neighbours in the list of certain values */
	uint32_t next;          /* stacks: the next item of its knot */
	uint32_t users;         /* the number of open calls on the value */
	int32_t balance;        /* for an unclear value: insertions minus removals */
	uint32_t flags;
};

/* A removal that has ended, kept to explain a later violation. */
struct lp_box_past {
	int64_t value;
	uint64_t in_start, in_end, out_start, out_end;
	uint32_t in_thread, out_thread;
};

/* A value that was inserted, removed, or both within the tick that begins at `time` (live_brief.h). */
struct lp_box_brief {
	int64_t value;
	uint64_t time;                  /* 0: the entry is empty */
	uint32_t in_thread, out_thread;
	uint32_t item;                  /* LP_NO_ITEM: the value has no item so far */
	uint32_t flags;                 /* LP_BOX_IN, LP_BOX_OUT */
};

enum {
	LP_BOX_PAST = 256,
	LP_BOX_BRIEFS = 256,
	LP_BOX_SHORT = 32, /* if a queue has more certain values than this, a value that is inserted now is expected to stay for
			    * more than a tick (live_brief.h) */
};

struct lp_knots;

struct lp_box {
	struct lp_table items;
	uint32_t insert, remove, is_empty; /* methods of the specification */
	bool bounded;             /* the specification has a bound, so an insertion may fail */
	uint32_t first, last;     /* the first and the last of the certain items */
	uint64_t certain;         /* the number of certain items */
	uint64_t seq;
	uint64_t not_zero;        /* the rank (lp_live.rank) of the event that last ended a moment without certain items */
	uint64_t unknown_until;
	uint64_t known_from;      /* a call that starts after this time starts after the last gap */
	struct lp_box_past past[LP_BOX_PAST];
	uint32_t past_count;      /* how many removals were stored in `past` so far, including those that were overwritten */
	uint64_t brief_time;      /* the time of the values in `briefs` */
	struct lp_box_brief briefs[LP_BOX_BRIEFS]; /* indexed by hash */
	struct lp_knots *knots;   /* stacks only */
};

static inline struct lp_box_item *lp_box_at(const struct lp_box *b, uint32_t i)
{
	return lp_table_at(&b->items, i);
}

/* Add the insertion, or the removal, of the value to the core of a violation. */
void lp_box_blame_in(struct lp_live *live, const struct lp_box_item *v);
void lp_box_blame_out(struct lp_live *live, const struct lp_box_item *v);

/* Frees the item if it is no longer needed. */
void lp_box_settle(struct lp_box *b, uint32_t i);

/* live_stack.c */
bool lp_live_knots_open(struct lp_box *b);
void lp_live_knots_close(struct lp_box *b);
void lp_live_knots_forget(struct lp_box *b);
uint64_t lp_live_knots_bytes(const struct lp_box *b);
void lp_live_knots_look(struct lp_live *live);              /* checks knots that are not complete */
void lp_live_knots_enter(struct lp_live *live, uint32_t i); /* to be called when item i has become certain */
void lp_live_knots_leave(struct lp_live *live, uint32_t i); /* to be called when item i is no longer certain */

#endif
