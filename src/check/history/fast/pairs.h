/* pairs.h -- insertions paired with removals, for kinds with distinct values.
 *
 * A value *stays* if no call returned it.  Its removal then counts as starting after all
 * events, at rank lp_problem.ranks, and as never ending.  A pending insertion whose value was
 * never returned is left out: if a run is correct, it is also correct without this insertion.
 * Pending removals are listed separately; the checker decides which values they take.
 *
 * If the insertion of a value ends before its removal starts, the value is certainly present
 * between these two times.
 */
#ifndef LP_CHECK_HISTORY_FAST_PAIRS_H
#define LP_CHECK_HISTORY_FAST_PAIRS_H

#include "check/history/fast/fast.h"

struct lp_pair {
	int64_t key;                /* the value; for kinds with scores (lp_traits.scored), its score */
	uint32_t in, out;           /* the insertion and the removal, as operations; `out` is LP_NO_OP if the value stays */
	uint32_t in_start, in_end;  /* the ranks of the insertion */
	uint32_t out_start, out_end; /* the ranks of the removal */
};

struct lp_pairs {
	struct lp_pair *at;
	uint32_t count;
	uint32_t *of;      /* for each operation the index of its pair, or LP_NO_OP */
	uint32_t *empties; /* removals that returned and found nothing */
	uint32_t empty_count;
	uint32_t *pending_removals; /* sorted by start */
	uint32_t pending_removal_count;
	uint32_t staying;  /* the number of pairs without a removal */
};

enum lp_pairing {
	LP_PAIRED,
	LP_MISPAIRED,    /* the history is wrong, and the witness says why */
	LP_UNPAIRABLE,   /* the history cannot be paired: there are calls of methods other than insertions and
			  * removals, values that are inserted twice, or unknown results, or the kind is bounded
			  * or blocking; or the answer is no longer wanted */
};

/* Makes the pairs.  Call lp_pairs_close() afterwards, whatever the result. */
enum lp_pairing lp_pairs_open(struct lp_pairs *s, const struct lp_problem *p, struct lp_witness *w);
void lp_pairs_close(struct lp_pairs *s);

/* Returns, for each gap (problem.h), how many values are certainly present in the gap.  A gap is covered
 * if this number is not 0.  A removal that found nothing needs a gap that is not covered.  The caller
 * frees the array. */
uint32_t *lp_pairs_cover(const struct lp_pairs *s, const struct lp_problem *p);

/* Returns the first removal that found nothing although all gaps during it are covered; LP_NO_OP if there is none. */
uint32_t lp_pairs_full(const struct lp_pairs *s, const struct lp_problem *p,
		       const uint32_t *covered);

/* Adds to the witness pairs that together cover all gaps from `from` to `to` - 1.  Only pairs with `allowed`
 * set are used; NULL: all pairs are allowed. */
void lp_pairs_blame(const struct lp_pairs *s, const struct lp_problem *p, uint32_t from,
		    uint32_t to, const bool *allowed, struct lp_witness *w);
/* Adds the insertion and the removal of a pair to the witness. */
void lp_pairs_witness(const struct lp_pairs *s, uint32_t pair, struct lp_witness *w);

/* Assigns the values that stay to pending removals: the value whose insertion ended first to the
 * removal that started first, and so on. */
void lp_pairs_assign(struct lp_pairs *s, const struct lp_problem *p);

#endif
