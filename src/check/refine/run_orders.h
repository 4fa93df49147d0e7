/* run_orders.h -- turns executions of a specification whose relations are not exact into runs with exact relations.
 *
 * If an execution has several seq_cst accesses, the relations between its calls may allow too many client orders.  Then only
 * the model decides which orders are possible (lp_observation.possible).  It would be unsound to assume that the execution is
 * possible with an order with which it is not.  So this module computes the largest possible orders.  An order is possible iff it is
 * part of a largest possible order, since an execution stays possible if a client orders less.  For each largest order m the
 * module makes a run with exact relations: every pair of calls that is not in m clashes.
 *
 *     possible(h)  iff  h is part of some largest m  iff  the run of some m allows h
 *
 * If the largest possible orders are the largest orders that the relations allow, one run with these relations is enough.
 */
#ifndef LP_CHECK_REFINE_RUN_ORDERS_H
#define LP_CHECK_REFINE_RUN_ORDERS_H

#include <stdbool.h>

struct lp_observation;
struct lp_runs;

/* The largest number of calls for which the largest orders are computed, not counting calls before the threads start.  (There
 * are 130,023 orders on six calls.) */
enum { LP_RUN_ORDERS_ON = 6 };

/* Adds an observation, whose relations need not be exact.  Returns false if the relations are not exact and there are too many
 * calls. */
bool lp_run_orders_add(struct lp_runs *, const struct lp_observation *);

#endif
