/* run_orders.h -- an execution of a specification whose relations are not exact.
 *
 * With several seq_cst accesses the relations between calls allow too many client orders, and only the model knows which
 * are possible (clients.h: possible()).  A run must not be said to go with an order that it does not go with.  So the
 * largest orders that are possible are looked for.  An order is possible iff it is part of one of them, since an execution
 * stays one if a client orders less.  For each of them, m, a run is made whose relations are exact: every pair of calls
 * that m does not have clashes.
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

/* So many calls besides those that come before the threads; there are 130,023 orders on six calls. */
enum { LP_RUN_ORDERS_ON = 6 };

/* Adds the observation, exact or not.  False if it is not exact, and has too many calls. */
bool lp_run_orders_add(struct lp_runs *, const struct lp_observation *);

#endif
