/* lazy_parts.h -- what lazy.c, lazy_calls.c and lazy_rules.c share.
 *
 * Time: the event of rank r (problem.h) is at time (r + 1) * LP_LAZY_TICKS.  Operations take effect at times between those
 * of events.  An insertion with its value is called an item; it takes effect after its `start` and before its `end`.
 */
#ifndef LP_CHECK_HISTORY_FAST_LAZY_PARTS_H
#define LP_CHECK_HISTORY_FAST_LAZY_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "check/history/problem.h"
#include "spec/traits.h"

#define LP_LAZY_TICKS UINT64_C(65536)
#define LP_LAZY_NEVER UINT64_MAX
#define LP_LAZY_NONE UINT32_MAX

/* An insertion with its value.  Items are numbered in the order of their ends. */
struct lp_lazy_item {
	uint64_t start, end; /* end: LP_LAZY_NEVER if it is pending */
	int64_t value;
	uint32_t number;     /* the number of the value */
	uint32_t next;       /* the next item with the same value, or LP_LAZY_NONE */
};

/* What a call does, or what it says about the object. */
enum lp_lazy_want {
	LP_LAZY_TAKES,         /* removes a value */
	LP_LAZY_TAKES_UNKNOWN, /* removes an unknown value, or finds nothing */
	LP_LAZY_FINDS_NOTHING,
	LP_LAZY_SEES,          /* sees the value that leaves next, such as the value on top of a stack */
	LP_LAZY_SEES_SOME,     /* sees that the object is not empty */
	LP_LAZY_IMPOSSIBLE,    /* is wrong in every state */
	LP_LAZY_NO_WANT,       /* is an insertion, or imposes no condition */
};

struct lp_lazy_call {
	enum lp_lazy_want want;
	uint32_t number;  /* the number of its value; LP_LAZY_NONE if it has none */
	uint32_t item;    /* the item, if the call is an insertion; otherwise LP_LAZY_NONE */
	bool patient;     /* the call need not take effect as soon as it can: L3 (lazy.h) does not apply to it */
	bool is_pending;
	bool may_fail;    /* the call is an insertion that may have found no room */
};

/* A time that belongs to an item. */
struct lp_lazy_mark {
	uint32_t item;
	uint64_t time;
};

struct lp_lazy_hole {
	uint64_t from, to;
};

struct lp_lazy_range {
	uint32_t from, to; /* items from .. to-1 */
};

/* A run; it represents all runs that were merged into it. */
struct lp_lazy_run {
	uint64_t done;       /* the open calls that have taken effect, by slot */
	uint32_t pending_taken; /* how many pending removals have taken a value */
	struct {
		LP_VEC(struct lp_lazy_range);
	} gone;              /* the items that have left; sorted, disjoint and not adjacent */
	struct {
		LP_VEC(struct lp_lazy_mark);
	} early;             /* items that were inserted before the given time, because a call saw the item, or saw that the object
			      * was not empty */
	/* Queues. */
	uint64_t empty;      /* when the queue was last empty; 0: never */
	uint32_t head;       /* an item that a call saw at the front and that is still present; or LP_LAZY_NONE */
	/* Stacks. */
	struct {
		LP_VEC(struct lp_lazy_hole);
	} holes;             /* times at which none of the values that are present was inserted; sorted, disjoint */
	struct {
		LP_VEC(struct lp_lazy_mark);
	} pins;              /* items that a call saw on top, and that were therefore inserted just before the given time */
};

struct lp_lazy {
	const struct lp_problem *p;
	enum lp_discipline leaves; /* which value leaves next: LP_LEAVES_FIRST_IN, _LAST_IN, _BY_ORDER or _ANY */
	bool greatest;       /* a priority queue that gives the greatest value first */
	struct lp_lazy_item *items;
	uint32_t count;
	uint32_t *first;     /* by number of value: its first item, or LP_LAZY_NONE */
	uint32_t ended;      /* the insertions of the first `ended` items have ended by now */
	uint64_t now;        /* the current time */

	struct lp_lazy_call *calls; /* by operation */
	uint32_t *spare;     /* by number of value: the number of insertions minus that of known removals */
	bool blocks;         /* removals wait while the object is empty */
	bool relaxed;        /* the object has a bound that might matter, and that is ignored */
	uint32_t too_many;   /* the number of a value that is removed more often than it was inserted, or LP_LAZY_NONE */
};

/* Fills in everything but `now` from l->p.  Returns false if the problem has calls that are not supported.  The caller
 * closes `l` even then. */
bool lp_lazy_open(struct lp_lazy *l);
void lp_lazy_close(struct lp_lazy *l);

/* Has the item left? */
bool lp_lazy_is_gone(const struct lp_lazy_run *r, uint32_t item);

/* lp_lazy_there() returns the first item from `item` on that is still present, or `count`.  lp_lazy_there_before()
 * returns the last item before `item` that is still present, or LP_LAZY_NONE. */
uint32_t lp_lazy_there(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item);
uint32_t lp_lazy_there_before(const struct lp_lazy_run *r, uint32_t item);

/* Makes equivalent runs equal: drops parts of the run that no longer make a difference, and renumbers the times between
 * `gap`, the time of the last event, and the next event consecutively. */
void lp_lazy_normalise(const struct lp_lazy *l, struct lp_lazy_run *r, uint64_t gap);

/* Each of these four functions changes a run so that a condition holds at l->now.  Each returns false if the condition
 * cannot hold; the run is then unusable. */
bool lp_lazy_leaves(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item);   /* the item leaves */
bool lp_lazy_is_seen(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item);  /* the item is the one that leaves next */
bool lp_lazy_is_empty(const struct lp_lazy *l, struct lp_lazy_run *r);                /* the object is empty */
bool lp_lazy_is_there(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item); /* the item is in the object */

/* Is the object certainly not empty? */
bool lp_lazy_has_some(const struct lp_lazy *l, const struct lp_lazy_run *r);

/* Can the item leave without making a hole?  Always true if the object is not a stack. */
bool lp_lazy_leaves_no_hole(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item);

/* Of the items of a value that are present, returns the one that should leave (L2); LP_LAZY_NONE if none can leave.  For
 * stacks the answer is only useful if the value was inserted once. */
uint32_t lp_lazy_best(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t number);

#endif
