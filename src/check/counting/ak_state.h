/* ak_state.h -- the data of a monitor of A_k; for ak*.c only.
 *
 * Epochs are absolute and grow without bound.  Places are 0 .. k, and from epoch k + 1 on, each new
 * epoch shifts them by one.  Arrays are indexed by place, and place 0 stands for all older epochs.
 * Times that are only compared are stored as epochs.
 *
 *     epoch   0 1 2 3 4 5 6 7          k = 3, now = 7
 *     place   0 0 0 0 0 1 2 3
 *
 * In these files, a moment is the middle of an epoch, after the calls and before the returns of the
 * epoch.  A call spans a range of moments.  In a linearization, each call takes effect at one of its
 * moments, in any order within a moment.  A value that was inserted by a call ending at place b, and
 * removed by a call starting at place c, is certainly present at the moments m with b < m < c.
 */
#ifndef LP_CHECK_COUNTING_AK_STATE_H
#define LP_CHECK_COUNTING_AK_STATE_H

#include "check/counting/ak.h"
#include "check/counting/ak_values.h"
#include "spec/spec.h"

#define LP_AK_NO_EPOCH UINT64_MAX

enum lp_ak_role {
	LP_AK_IGNORED,
	LP_AK_INSERTS,
	LP_AK_TAKES,    /* removes and returns a value, or returns LP_EMPTY */
	LP_AK_DISCARDS, /* removes its argument, or returns 0 */
	LP_AK_LOOKS,    /* changes nothing; the result LP_EMPTY means that the object is empty */
	LP_AK_ASKS,     /* changes nothing; the result 1 means that the object is empty */
};

/* Of several calls, the one that ended first: the epoch of its end, and the value that it inserted or removed. */
struct lp_ak_first {
	uint64_t end; /* LP_AK_NO_EPOCH: there is no such call */
	int64_t value;
};

struct lp_ak {
	struct lp_spec spec;
	unsigned k;
	enum lp_ak_mode mode;
	bool fifo, lifo, full; /* the kind is a queue; it is a stack; insertions may find no room */
	bool loose; /* restarted: there may be values whose insertion was not seen */
	enum lp_ak_role role[64];

	uint64_t now, events;
	bool returned; /* the last event was a return: the next call begins an epoch */
	struct lp_ak_violation violation;
	char unsuitable[96];

	struct lp_ak_values values;
	uint64_t taken; /* how many of `values` were removed before their insertions returned */
	/* Arrays of k + 1 elements, by place. */
	uint64_t *live;    /* the number of values whose insertion ended at the place, and which were not removed */
	uint64_t *open_removals;  /* the number of removals that started at the place and have not returned */
	uint64_t *empty;   /* of the calls that started at the place and found nothing: the epoch in which the first one ended */
	bool *covered;     /* some value that has been removed was certainly present at the moment of the place */
	struct lp_ak_first *out; /* queues: of the values whose insertion started at the place, the removal that ended first */
	/* Arrays of (k + 1)^2 elements: an element is for the calls that span the places [from, to]. */
	uint64_t *live_span;     /* the number of values that such calls inserted, and which were not removed */
	struct lp_ak_first *low; /* stacks: of the insertions of the values that such calls removed, the one that ended
				  * first */

	struct lp_ak_types *types; /* for LP_AK_COMPLETE and stacks (ak_types.c); otherwise NULL */
};

/* The place of an epoch.  The epoch LP_AK_OPEN has the last place. */
static inline uint32_t lp_ak_place(const struct lp_ak *m, uint64_t epoch)
{
	if (epoch > m->now)
		epoch = m->now;
	if (m->now <= m->k)
		return (uint32_t)epoch;
	const uint64_t base = m->now - m->k;
	return epoch > base ? (uint32_t)(epoch - base) : 0;
}

/* The place of the current epoch. */
static inline uint32_t lp_ak_top(const struct lp_ak *m)
{
	return m->now < m->k ? (uint32_t)m->now : m->k;
}

/* The index of [from, to] in `live_span` and `low`. */
static inline uint32_t lp_ak_cell(const struct lp_ak *m, uint32_t from, uint32_t to)
{
	return from * (m->k + 1) + to;
}

/* Records a violation; returns true. */
bool lp_ak_violated(struct lp_ak *m, enum lp_ak_rule rule, int64_t value, int64_t other);

/* A call that spans [start, now] has removed a value.  The functions record the removal.  They return
 * true if A_k forbids it, given the values that were removed before. */
bool lp_ak_fifo_leaves(struct lp_ak *m, const struct lp_ak_value *v, uint64_t start);
bool lp_ak_lifo_leaves(struct lp_ak *m, const struct lp_ak_value *v, uint64_t start);

/* To be called after a removal has returned.  Let w be a value that was removed.  In a queue, the values that
 * were inserted before w must have been removed, too; in a stack, the values that were inserted after w and
 * before its removal.  So those of these values that are still stored must have been taken by open removals.
 * If there are too few open removals, the functions record a violation and return true. */
bool lp_ak_fifo_left_over(struct lp_ak *m);
bool lp_ak_lifo_left_over(struct lp_ak *m);
/* Is there a call that found nothing, although at each of its moments some value was present?  If so, records a
 * violation. */
bool lp_ak_empties_fail(struct lp_ak *m);

/* Shifts all arrays by one place.  To be called when an epoch begins after epoch k. */
void lp_ak_shift(struct lp_ak *m);

/* For LP_AK_COMPLETE and stacks (ak_types.c).  Returns NULL if `k` is too large. */
struct lp_ak_types *lp_ak_types_open(unsigned k);
void lp_ak_types_close(struct lp_ak_types *t);
void lp_ak_types_shift(struct lp_ak *m);
void lp_ak_types_forget(struct lp_ak_types *t);
/* Adds a value whose insertion and removal have both returned; the arguments are the epochs of both calls. */
void lp_ak_types_add(struct lp_ak *m, uint64_t in_start, uint64_t in_end, uint64_t out_start,
		     uint64_t out_end);
/* Is A_k of the history so far wrong?  If so, records the violation LP_AK_ANY. */
bool lp_ak_types_fail(struct lp_ak *m);

/* Adds a value, whose insertion has returned, to `live` and `live_span` (+1), or subtracts it (-1). */
void lp_ak_count(struct lp_ak *m, const struct lp_ak_value *v, int by);

#endif
