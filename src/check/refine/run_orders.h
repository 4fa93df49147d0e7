/* run_orders.h -- handles executions of a specification whose relations are not exact.
 *
 * With several seq_cst accesses the relations between calls allow too many client orders, and only the model knows which
 * are possible (clients.h: possible()).  Believing that a run is possible with an order when it is not would be unsound.
 * So this module computes the largest possible orders.  An order is possible iff it is part of one of them, since an
 * execution stays possible if a client orders less.  For each largest order m the module makes a run with exact relations:
 * every pair of calls that is not in m clashes.
 *
 *     possible(h)  iff  h is part of some largest m  iff  the run of some m allows h
 *
 * If the largest orders are those that the relations allow, one run with these relations is enough.
 */
#ifndef LP_CHECK_REFINE_RUN_ORDERS_H
#define LP_CHECK_REFINE_RUN_ORDERS_H

#include <stdbool.h>

struct lp_observation;
struct lp_runs;

/* The largest number of calls, not counting those before the threads start; there are 130,023 orders on six calls. */
enum { LP_RUN_ORDERS_ON = 6 };

/* Adds the observation, whether its relations are exact or not.  Returns false if they are not exact and there are too
 * many calls. */
bool lp_run_orders_add(struct lp_runs *, const struct lp_observation *);

#endif
