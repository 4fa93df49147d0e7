/* counted_orders.h -- is an order of the calls right by its counts?
 *
 * With a formula or a grammar (check/counting/languages) it does not matter whether the calls have a linearization.  The calls
 * and an interval order on them are a history h of length at most k.  It has the counts Pi(h), from which formulae and
 * grammars tell whether it is wrong.
 *
 * The calls get their places by the canonical representation (Greenough; Lemma 6.2 of the paper): a call begins behind as many
 * places as there are different pasts of calls before it, and ends at the last place at which a call begins that does not come
 * after it.  A call that never returned ends at the last place of all, and has no result.
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

/* `name` is a fingerprint of the calls and their results.  LP_UNDECIDED: the grammar has too many words to try. */
enum lp_finding lp_counted_orders_decide(struct lp_counted_orders *, const struct lp_observation *,
					 struct lp_fingerprint name, const uint32_t *before);

/* The places of the calls, from 0; returns the number of the last one. */
uint32_t lp_counted_places(const struct lp_observation *, const uint32_t *before, uint32_t *from, uint32_t *to);

#endif
