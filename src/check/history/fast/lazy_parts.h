/* lazy_parts.h -- what lazy.c, lazy_calls.c and lazy_rules.c share.
 *
 * Time: the event of rank r is at (r + 1) * LP_LAZY_TICKS; what takes effect in between has a time of its
 * own.  A value can have been inserted strictly between its `start` and its `end`.
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

/* An insertion.  Items are numbered by their ends. */
struct lp_lazy_item {
	uint64_t start, end; /* end: LP_LAZY_NEVER if it is pending */
	int64_t value;
	uint32_t number;     /* of the value */
	uint32_t next;       /* with the same value; LP_LAZY_NONE ends it */
};

/* What a call wants that is no insertion. */
enum lp_lazy_want {
	LP_LAZY_TAKES,         /* a value */
	LP_LAZY_TAKES_UNKNOWN, /* a value, or found nothing */
	LP_LAZY_FINDS_NOTHING,
	LP_LAZY_SEES,          /* a value in front, on top */
	LP_LAZY_SEES_SOME,     /* that something is there */
	LP_LAZY_IMPOSSIBLE,
	LP_LAZY_NO_WANT,       /* an insertion, or a call of which nothing is to be said */
};

struct lp_lazy_call {
	enum lp_lazy_want want;
	uint32_t number;  /* of its value */
	uint32_t item;    /* insertions: LP_LAZY_NONE if it is none */
	bool patient;     /* L3 does not hold for it */
	bool is_pending;
	bool may_fail;    /* an insertion of which one does not know whether there was room */
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

/* A set of runs that are as good as one. */
struct lp_lazy_run {
	uint64_t done;       /* of the open calls, by slot */
	uint32_t takers;     /* pending removals that took something */
	struct {
		LP_VEC(struct lp_lazy_range);
	} gone;              /* what has left; sorted, apart from each other */
	struct {
		LP_VEC(struct lp_lazy_mark);
	} early;             /* inserted before that time: a call saw that something was there */
	/* Queues. */
	uint64_t empty;      /* when it was last empty; 0: never */
	uint32_t head;       /* a call saw it in front, and it is still there; or LP_LAZY_NONE */
	/* Stacks. */
	struct {
		LP_VEC(struct lp_lazy_hole);
	} holes;             /* in which no value that is there was inserted; sorted, apart from each other */
	struct {
		LP_VEC(struct lp_lazy_mark);
	} pins;              /* a call saw it on top: inserted just before that time */
};

struct lp_lazy {
	const struct lp_problem *p;
	enum lp_discipline leaves; /* none but first in, last in, by order, any */
	bool greatest;       /* a priority queue that gives the greatest value first */
	struct lp_lazy_item *items;
	uint32_t count;
	uint32_t *first;     /* by number of value: its first item, or LP_LAZY_NONE */
	uint32_t ended;      /* items whose insertion has ended by now: the first ones */
	uint64_t now;

	struct lp_lazy_call *calls; /* by operation */
	uint32_t *spare;     /* by number of value: insertions beyond the removals that are known */
	bool blocks;         /* removals wait */
	bool relaxed;        /* a bound was left out that may count */
	uint32_t too_many;   /* a value that is removed more often than it was inserted, or LP_LAZY_NONE */
};

/* Fills all but `now` from l->p.  False if it has other kinds of calls; to be closed in any case. */
bool lp_lazy_open(struct lp_lazy *l);
void lp_lazy_close(struct lp_lazy *l);

bool lp_lazy_is_gone(const struct lp_lazy_run *r, uint32_t item);

/* The first item that is still there, from `item` on; `count` if none.  The last one before `item`; NONE if none. */
uint32_t lp_lazy_there(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item);
uint32_t lp_lazy_there_before(const struct lp_lazy_run *r, uint32_t item);

/* Forgets what makes no difference any more; times after `gap` are numbered from there on. */
void lp_lazy_normalise(const struct lp_lazy *l, struct lp_lazy_run *r, uint64_t gap);

/* All of these look at, or change, a run at l->now.  They return false, and leave the run in any state, if
 * that cannot be. */
bool lp_lazy_leaves(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item);
bool lp_lazy_is_seen(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item); /* in front, on top */
bool lp_lazy_is_empty(const struct lp_lazy *l, struct lp_lazy_run *r);
bool lp_lazy_is_there(const struct lp_lazy *l, struct lp_lazy_run *r, uint32_t item); /* anywhere */

/* Something is there for sure. */
bool lp_lazy_has_some(const struct lp_lazy *l, const struct lp_lazy_run *r);

/* It leaves, and makes no hole. */
bool lp_lazy_leaves_no_hole(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t item);

/* May it be the one that leaves, as far as it can be told without trying?  For L2, the best of its value. */
uint32_t lp_lazy_best(const struct lp_lazy *l, const struct lp_lazy_run *r, uint32_t number);

#endif
