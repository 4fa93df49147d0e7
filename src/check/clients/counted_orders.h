/* counted_orders.h -- decides from counts of calls whether an order of the calls is correct.
 *
 * If correctness is given by a formula or a grammar (check/counting/languages), linearizations do not matter.  The calls and
 * an interval order on them are a history h of length at most k.  It has the counts Pi(h), from which formulae and grammars
 * tell whether it is wrong.
 *
 * The calls get their places by the canonical representation of interval orders (Greenough; Lemma 6.2 of
 * Bouajjani, Emmi, Enea and Hamza, POPL 2015).  Let the past of a call be the set of calls before it.  A call begins at place
 * n if the calls in its past have n different pasts.  It ends at the last place at which a call begins that does not come after
 * it.  A call that never returned ends at the last place of all, and has no result.
 */
#ifndef LP_CHECK_CLIENTS_COUNTED_ORDERS_H
#define LP_CHECK_CLIENTS_COUNTED_ORDERS_H

#include "base/fingerprints.h"
#include "check/clients/clients.h"
#include "check/history/history_check.h"

struct lp_formulae;
struct lp_kernel;

struct lp_counted_orders {
	const struct lp_spec *spec;
	const struct lp_formulae *formulae; /* exactly one of `formulae` and `kernel` is set */
	const struct lp_kernel *kernel;
	uint32_t k;
	struct lp_fingerprints right; /* fingerprints of calls, results and orders that are correct */
	char why[256];                /* why the last wrong order is wrong */
};

/* `name` is a fingerprint of the calls and their results.  The answer is LP_UNDECIDED if the grammar has too many words to
 * try. */
enum lp_finding lp_counted_orders_decide(struct lp_counted_orders *, const struct lp_observation *,
					 struct lp_fingerprint name, const uint32_t *before);

/* Computes the places of the calls, from 0, and returns the number of the last place. */
uint32_t lp_counted_places(const struct lp_observation *, const uint32_t *before, uint32_t *from, uint32_t *to);

#endif
