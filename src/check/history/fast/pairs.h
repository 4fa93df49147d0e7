/* pairs.h -- insertions paired with removals, for kinds with distinct values.
 *
 * A value that stays is removed by nobody: its removal starts at rank `ranks`, after
 * everything, and never ends.  A pending insertion whose value was never seen is
 * left out: a run without it is as good.  So is a pending removal for now; which
 * values they take is for the checker to say.
 *
 * A value is certainly there in its gaps: from the end of its insertion to the start
 * of its removal, if the one comes before the other.
 */
#ifndef LP_CHECK_HISTORY_FAST_PAIRS_H
#define LP_CHECK_HISTORY_FAST_PAIRS_H

#include "check/history/fast/fast.h"

struct lp_pair {
	int64_t value;
	uint32_t in, out;           /* operations; out: LP_NO_OP if the value stays */
	uint32_t in_start, in_end;
	uint32_t out_start, out_end;
};

struct lp_pairs {
	struct lp_pair *at;
	uint32_t count;
	uint32_t *of;      /* the pair of an operation; LP_NO_OP if none */
	uint32_t *empties; /* operations that found nothing, and returned */
	uint32_t empty_count;
	uint32_t *takers;  /* pending removals, by start */
	uint32_t taker_count;
	uint32_t staying;  /* pairs without removal */
};

enum lp_pairing {
	LP_PAIRED,
	LP_MISPAIRED,    /* already wrong: the witness says why */
	LP_UNPAIRABLE,   /* other methods, equal values, unknown results; or nobody wants to know */
};

/* Closed in any case by lp_pairs_close(). */
enum lp_pairing lp_pairs_open(struct lp_pairs *s, const struct lp_problem *p, struct lp_witness *w);
void lp_pairs_close(struct lp_pairs *s);

/* Is there, for the empty removal `op`, a gap without any value?  `covered[g]` says
 * how many values are certainly there in gap g. */
uint32_t *lp_pairs_cover(const struct lp_pairs *s, const struct lp_problem *p);

/* The first empty removal all of whose gaps are covered, or LP_NO_OP. */
uint32_t lp_pairs_full(const struct lp_pairs *s, const struct lp_problem *p,
		       const uint32_t *covered);

/* Adds to the witness pairs that together cover the gaps [from, to), chosen among
 * those that `allowed` (NULL: all) is set for. */
void lp_pairs_blame(const struct lp_pairs *s, const struct lp_problem *p, uint32_t from,
		    uint32_t to, const bool *allowed, struct lp_witness *w);
void lp_pairs_witness(const struct lp_pairs *s, uint32_t pair, struct lp_witness *w);

/* Lets pending removals take the values that stay, the value inserted first by the
 * removal that started first, and so on. */
void lp_pairs_assign(struct lp_pairs *s, const struct lp_problem *p);

#endif
