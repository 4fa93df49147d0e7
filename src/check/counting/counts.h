/* counts.h -- the counting representation of A_k, for any specification.
 *
 * A label is a method with its arguments and its result (label.h).  For each label and each interval
 * of places, a counter says how many calls with the label span the interval.  This is the multiset
 * Pi(A_k(h)) of the paper by Bouajjani, Emmi, Enea and Hamza (POPL 2015, section 6.1; ak.h).  It is
 * updated with each call and return (Algorithm 1 of the paper).
 *
 * Memory is proportional to the number of labels that occur, times the number of intervals at which
 * a label occurs.  To save memory, the labels of a value that was inserted and removed are dropped if
 * `copies` other values were inserted and removed by the same methods at the same places: a formula
 * with that many quantifiers cannot tell the difference (docs/algorithms/ak.md).
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

/* The calls with one label that start and end in the same epochs. */
struct lp_span {
	uint64_t start, end; /* epochs (ak.h); `end` is LP_SPAN_OPEN if the calls have not returned */
	uint64_t count;      /* the number of calls */
	uint32_t next;       /* the next span of the same label; LP_NO_SPAN: none */
};

struct lp_counted {
	struct lp_label label;
	uint32_t spans; /* the first span; LP_NO_SPAN: no call has the label now */
};

struct lp_counts {
	struct lp_spec spec;
	unsigned k;
	uint32_t copies; /* see above; 0: no label is dropped */
	uint64_t now, events; /* the current epoch, and the number of calls and returns so far */
	bool returned;   /* the last event was a return, so the next call begins an epoch */

	struct {
		LP_VEC(struct lp_counted);
	} labels;
	struct {
		LP_VEC(struct lp_span);
	} spans;
	uint32_t free_span; /* the first element of the list of unused spans; LP_NO_SPAN: none */
	struct lp_hash_index by_label;
	uint32_t compact_at; /* both tables are compacted when one of them has this many elements */
};

void lp_counts_open(struct lp_counts *c, const struct lp_spec *spec, unsigned k, uint32_t copies);
void lp_counts_close(struct lp_counts *c);

/* A call begins.  Only `method`, `args` and `arg` of the label are used.  Returns the epoch of the call, which must be
 * passed to lp_counts_return(). */
uint64_t lp_counts_call(struct lp_counts *c, const struct lp_label *call);
/* A call returns; the label contains its result. */
void lp_counts_return(struct lp_counts *c, uint64_t epoch, const struct lp_label *done);

/* The place of an epoch. */
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

/* #(label, from, to) of the paper: how many calls with the label span the places from .. to.  `label` is an index
 * (lp_counts_find()). */
uint64_t lp_counts_number(const struct lp_counts *c, uint32_t label, uint32_t from, uint32_t to);

/* The index of a label; UINT32_MAX if it is not in the table. */
uint32_t lp_counts_find(const struct lp_counts *c, const struct lp_label *label);

#endif
