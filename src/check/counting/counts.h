/* counts.h -- the counting representation of A_k, for any specification.
 *
 * For each label and each interval of places, a counter says how many calls with the label span the
 * interval. This is the multiset Pi(A_k(h)) of the paper by Bouajjani, Emmi, Enea and Hamza (POPL
 * 2015, section 6.1; ak.h), updated with each call and return (Algorithm 1).  A label is a method
 * with its arguments and its result; the label of a call that has not returned has no result.
 *
 * Memory is proportional to the labels that occur, times the places at which they occur.  For
 * kinds whose methods insert and remove values, the labels of a removed value are dropped if
 * `copies` other values were inserted and removed by the same methods at the same places: a formula with that many quantifiers
 * cannot tell the difference (docs/algorithms/ak.md).
 */
#ifndef LP_CHECK_COUNTING_COUNTS_H
#define LP_CHECK_COUNTING_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "base/vec.h"
#include "check/counting/label.h"
#include "spec/spec.h"

#define LP_NO_SPAN UINT32_MAX
#define LP_SPAN_OPEN UINT64_MAX

struct lp_span {
	uint64_t start, end; /* epochs; LP_SPAN_OPEN: the calls have not returned */
	uint64_t count;
	uint32_t next;       /* the next span of the same label */
};

struct lp_counted {
	struct lp_label label;
	uint32_t spans; /* the first span; LP_NO_SPAN: the label does not occur, or no longer */
};

struct lp_counts {
	struct lp_spec spec;
	unsigned k;
	uint32_t copies; /* 0: never drop anything */
	uint64_t now, events;
	bool returned;

	struct {
		LP_VEC(struct lp_counted);
	} labels;
	struct {
		LP_VEC(struct lp_span);
	} spans;
	uint32_t free_span;
	struct lp_hash_index by_label;
	uint32_t compact_at; /* the number of labels or spans at which tables are compacted */
};

void lp_counts_open(struct lp_counts *c, const struct lp_spec *spec, unsigned k, uint32_t copies);
void lp_counts_close(struct lp_counts *c);

/* Returns the call's epoch, for lp_counts_return().  `call` needs method, args, arg. */
uint64_t lp_counts_call(struct lp_counts *c, const struct lp_label *call);
void lp_counts_return(struct lp_counts *c, uint64_t epoch, const struct lp_label *done);

static inline uint32_t lp_counts_place(const struct lp_counts *c, uint64_t epoch)
{
	if (epoch > c->now)
		epoch = c->now;
	const uint64_t base = c->now > c->k ? c->now - c->k : 0;
	return epoch > base ? (uint32_t)(epoch - base) : 0;
}

/* The last place, at which open calls end. */
static inline uint32_t lp_counts_top(const struct lp_counts *c)
{
	return c->now < c->k ? (uint32_t)c->now : c->k;
}

/* #(label, from, to) of the paper. */
uint64_t lp_counts_number(const struct lp_counts *c, uint32_t label, uint32_t from, uint32_t to);

/* The index of a label, UINT32_MAX if it never occurred. */
uint32_t lp_counts_find(const struct lp_counts *c, const struct lp_label *label);

#endif
