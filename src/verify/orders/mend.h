/* mend.h -- the smallest sets of memory orders that must be strengthened to make an object correct.
 *
 * The caller has found the object wrong.  First the object is explored with all orders seq_cst: if it is still wrong, no memory
 * order helps.  Otherwise the search strengthens the orders of the source (orders/order_search.h), few of them at first.  It
 * finds all sets of one or two changes that repair the object and cannot be made smaller or weaker.  If there are none, it looks for
 * one larger set.  With each set that is reported, all clients of the check were explored completely.
 *
 * Afterwards the check is restored to its earlier state, so that the report still shows the violation.
 */
#ifndef LP_VERIFY_ORDERS_MEND_H
#define LP_VERIFY_ORDERS_MEND_H

#include "verify/orders/trial.h"

enum lp_mend_state {
	LP_MEND_FOUND,
	LP_MEND_NO_ORDER,  /* the object is wrong even if all orders are seq_cst.  Under the model sc it is correct, or the check
			    * under sc could not be decided */
	LP_MEND_NOT_SC,    /* the object is wrong even under the model sc, where memory orders make no difference */
	LP_MEND_UNDECIDED, /* a limit was reached, or something could not be decided */
};

struct lp_mend {
	enum lp_mend_state state;
	struct lp_site_choices choices;
	uint8_t *source;                 /* for each choice, the order in the source */
	struct lp_order_choice *ranges;  /* for each choice, the orders that the search may try */
	struct lp_trial trial;
	struct lp_orders_search search;  /* for LP_MEND_FOUND: the answers */
};

/* Runs the search.  A limit of 0 means no limit.  The caller closes `mend`. */
void lp_mend_find(struct lp_mend *, struct lp_check *, double seconds, uint64_t executions);
void lp_mend_close(struct lp_mend *);

/* Fills in the fixes of a result, or the reason why there are none.  `brief`: fills in at most the first fix, and no reason. */
struct lp_result;
void lp_mend_report(const struct lp_mend *, bool brief, struct lp_arena *, struct lp_result *);

#endif
