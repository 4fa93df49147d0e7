/* ak_state.h -- the data of a monitor of A_k; for ak*.c only.
 *
 * Epochs are absolute and grow without bound; places are 0 .. k, and shift by one with each
 * epoch after the k-th.  Arrays are indexed by place, and place 0 stands for all older epochs.  Times
 * that are only compared are kept as epochs.
 *
 *     epoch   0 1 2 3 4 5 6 7          k = 3, now = 7
 *     place   0 0 0 0 0 1 2 3
 *
 * A "moment" is the middle of an epoch, after its calls and before its returns.  A
 * call spans a range of moments, and every linearization is one in which each call
 * takes effect at one of its moments, in any order within a moment.  A value that was
 * inserted by a call ending at place b and removed by one starting at place c is
 * certainly present at the moments m between them, b < m < c.
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

/* Of several calls of one kind, the one that ended first: the epoch of its end, and its value. */
struct lp_ak_first {
	uint64_t end; /* LP_AK_NO_EPOCH: there is no such call */
	int64_t value;
};

struct lp_ak {
	struct lp_spec spec;
	unsigned k;
	enum lp_ak_mode mode;
	bool fifo, lifo, full;
	bool loose; /* restarted: there may be values whose insertion was not seen */
	enum lp_ak_role role[64];

	uint64_t now, events;
	bool returned; /* the last event was a return: the next call begins an epoch */
	struct lp_ak_violation violation;
	char unsuitable[96];

	struct lp_ak_values values;
	uint64_t taken; /* how many of `values` were removed before their insertions returned */
	/* Arrays of k + 1 elements, by place. */
	uint64_t *live;    /* how many values were inserted by a call that ends at the place, and not
			    * removed */
	uint64_t *open_removals;  /* how many removals started at the place and have not returned */
	uint64_t *empty;   /* the first end of a removal that started at the place and found nothing */
	bool *covered;     /* some removed value was certainly present at that moment */
	struct lp_ak_first *out; /* FIFO: the first removal of a value whose insertion started at the place */
	/* LIFO: arrays of (k + 1)^2 elements, by the places [from, to] that a call spans. */
	uint64_t *live_span;     /* how many values were inserted by such a call, and not removed */
	struct lp_ak_first *low; /* of the insertions of the values that such calls removed: the one
				  * that ended first */

	struct lp_ak_types *types; /* LP_AK_COMPLETE */
};

static inline uint32_t lp_ak_place(const struct lp_ak *m, uint64_t epoch)
{
	if (epoch > m->now)
		epoch = m->now;
	if (m->now <= m->k)
		return (uint32_t)epoch;
	const uint64_t base = m->now - m->k;
	return epoch > base ? (uint32_t)(epoch - base) : 0;
}

static inline uint32_t lp_ak_top(const struct lp_ak *m)
{
	return m->now < m->k ? (uint32_t)m->now : m->k;
}

static inline uint32_t lp_ak_cell(const struct lp_ak *m, uint32_t from, uint32_t to)
{
	return from * (m->k + 1) + to;
}

/* Records a violation; returns true. */
bool lp_ak_violated(struct lp_ak *m, enum lp_ak_rule rule, int64_t value, int64_t other);

/* A call that spans [start, now] removes a value.  These functions record the removal, and return
 * whether A_k forbids it, given the values that were removed before. */
bool lp_ak_fifo_leaves(struct lp_ak *m, const struct lp_ak_value *v, uint64_t start);
bool lp_ak_lifo_leaves(struct lp_ak *m, const struct lp_ak_value *v, uint64_t start);

/* To be called after a removal has returned.  Some values must have left by now, because a value that was
 * removed was inserted after them (lifo: before them).  Are they more than the open removals can have taken?
 * If so, the functions record a violation. */
bool lp_ak_fifo_left_over(struct lp_ak *m);
bool lp_ak_lifo_left_over(struct lp_ak *m);
/* The same for removals that found nothing: is there one during which some value was present all the time? */
bool lp_ak_empties_fail(struct lp_ak *m);

/* Begins the next epoch; the tables shift. */
void lp_ak_shift(struct lp_ak *m);

/* LP_AK_COMPLETE, for stacks: NULL if `k` is too large. */
struct lp_ak_types *lp_ak_types_open(unsigned k);
void lp_ak_types_close(struct lp_ak_types *t);
void lp_ak_types_shift(struct lp_ak *m);
void lp_ak_types_forget(struct lp_ak_types *t);
/* Adds a value whose insertion and removal have both returned. */
void lp_ak_types_add(struct lp_ak *m, uint64_t in_start, uint64_t in_end, uint64_t out_start,
		     uint64_t out_end);
bool lp_ak_types_fail(struct lp_ak *m);

/* Adds a value to the counters (+1), or subtracts it (-1).  Its insertion has returned. */
void lp_ak_count(struct lp_ak *m, const struct lp_ak_value *v, int by);

#endif
