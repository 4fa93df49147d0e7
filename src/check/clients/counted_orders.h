/* counted_orders.h -- decides from counts of calls whether an order of the calls is correct.
 *
 * If correctness is given by a formula or a grammar (check/counting/languages), linearizations do not matter.  The calls and
 * an interval order on them form a history h of length at most k.  Formulae and grammars tell from the counts Pi(h)
 * (counts.h) whether h is wrong.
 *
 * The counts need a first and a last place for each call.  The calls get their places by the canonical representation of
 * interval orders (Greenough; Lemma 6.2 of Bouajjani, Emmi, Enea and Hamza, POPL 2015).  Let the past of a call be the set of
 * calls before it.  A call c begins at place n if the calls in its past have n different pasts.  Consider the calls that do not
 * come after c: the last place at which one of them begins is the place at which c ends.  A call that never returned ends at
 * the last place of all, and has no result.
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
	uint32_t k;                   /* the largest length of an order */
	struct lp_fingerprints right; /* for each correct order found so far, a fingerprint of the order, its calls and results */
	char why[256];                /* why the last wrong order is wrong */
};

/* Is the order correct?  Bit b of before[a] is set if call b comes before call a.  `name` is a fingerprint of the calls and
 * their results.  The answer is LP_UNDECIDED if the question is too large for the grammar. */
enum lp_finding lp_counted_orders_decide(struct lp_counted_orders *, const struct lp_observation *,
					 struct lp_fingerprint name, const uint32_t *before);

/* Computes the places of the calls: call a begins at place from[a] and ends at place to[a].  The first place is 0.  Returns
 * the number of the last place. */
uint32_t lp_counted_places(const struct lp_observation *, const uint32_t *before, uint32_t *from, uint32_t *to);

#endif
