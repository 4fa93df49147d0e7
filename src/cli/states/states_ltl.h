/* states_ltl.h -- `linchpin states --ltl`: what the atoms of a formula mean.
 *
 *     call(METHOD, tN)            the thread calls the method; either may be missing, and an argument may follow:
 *                                 call(write, 2)
 *     return(METHOD, tN) = VALUE  it returns, with that result if one is given, as reports show it
 *     in(METHOD, tN)              it is in such a call
 *     NAME                        LP_PROPOSITION(NAME) of the harness holds
 */
#ifndef LP_CLI_STATES_STATES_LTL_H
#define LP_CLI_STATES_STATES_LTL_H

#include "explore/state/live/runs.h"
#include "verify/view/states_view.h"

struct lp_error;
struct lp_states_ltl;

/* Parses the formula.  NULL if it cannot: then there is an error.  The propositions of the harness that it names are added to the
 * menu.  Harness and menu must outlive the result. */
struct lp_states_ltl *lp_states_ltl_open(const char *text, enum lp_fairness, const struct lp_harness *, struct lp_menu *,
					 uint32_t threads, struct lp_error *);
void lp_states_ltl_close(struct lp_states_ltl *); /* NULL is fine */

const struct lp_state_runs *lp_states_ltl_runs(const struct lp_states_ltl *);
/* Knows which call each thread is in, as far as the formula asks. */
struct lp_state_monitor lp_states_ltl_monitor(struct lp_states_ltl *);
/* How many states its automaton has. */
uint32_t lp_states_ltl_size(const struct lp_states_ltl *);

#endif
