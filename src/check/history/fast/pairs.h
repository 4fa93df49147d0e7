/* pairs.h -- insertions paired with removals, for kinds with distinct values.
 *
 * A value *stays* if it is never removed.  It is treated as if its removal started at rank
 * `ranks`, after all events, and never ended.  A pending insertion whose value was never
 * returned is left out, since the run without it is correct if the run with it is.  Pending
 * removals are listed separately; the checker decides which values they take.
 *
 * A value is certainly present from the end of its insertion to the start of its removal,
 * if the end comes before the start.
 */
#ifndef LP_CHECK_HISTORY_FAST_PAIRS_H
#define LP_CHECK_HISTORY_FAST_PAIRS_H

#include "check/history/fast/fast.h"

struct lp_pair {
	int64_t key;                /* of kinds with scores the score, otherwise the value */
	uint32_t in, out;           /* operations; out: LP_NO_OP if the value stays */
	uint32_t in_start, in_end;
	uint32_t out_start, out_end;
};

struct lp_pairs {
	struct lp_pair *at;
	uint32_t count;
	uint32_t *of;      /* for each operation its pair, or LP_NO_OP */
	uint32_t *empties; /* removals that returned and found nothing */
	uint32_t empty_count;
	uint32_t *pending_removals; /* sorted by start */
	uint32_t pending_removal_count;
	uint32_t staying;  /* the number of pairs without a removal */
};

enum lp_pairing {
	LP_PAIRED,
	LP_MISPAIRED,    /* the history is wrong, and the witness says why */
	LP_UNPAIRABLE,   /* there are other methods, equal values or unknown results; or the kind
			  * is bounded or blocking; or the answer is no longer wanted */
};

/* Call lp_pairs_close() afterwards, with any result. */
enum lp_pairing lp_pairs_open(struct lp_pairs *s, const struct lp_problem *p, struct lp_witness *w);
void lp_pairs_close(struct lp_pairs *s);

/* Returns, for each gap (problem.h), how many values are certainly present in it.  A removal that
 * found nothing needs a gap in which no value is certainly present. */
uint32_t *lp_pairs_cover(const struct lp_pairs *s, const struct lp_problem *p);

/* The first removal that found nothing although all of its gaps are covered, or LP_NO_OP. */
uint32_t lp_pairs_full(const struct lp_pairs *s, const struct lp_problem *p,
		       const uint32_t *covered);

/* Adds pairs to the witness that together cover the gaps [from, to).  Only pairs with `allowed`
 * set are used (NULL: all). */
void lp_pairs_blame(const struct lp_pairs *s, const struct lp_problem *p, uint32_t from,
		    uint32_t to, const bool *allowed, struct lp_witness *w);
void lp_pairs_witness(const struct lp_pairs *s, uint32_t pair, struct lp_witness *w);

/* Assigns the values that stay to pending removals: the value whose insertion ended first to the
 * removal that started first, and so on. */
void lp_pairs_assign(struct lp_pairs *s, const struct lp_problem *p);

#endif
