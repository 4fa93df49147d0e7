/* states_ltl.h -- `linchpin states --ltl`: the meaning of a formula's atoms.
 *
 *     call(METHOD, tN)            the thread calls the method; either may be missing, and an argument of the call
 *                                 may follow: call(write, 2)
 *     return(METHOD, tN) = VALUE  the thread returns from the method, with result VALUE, written as in reports;
 *                                 "= VALUE" may be missing
 *     in(METHOD, tN)              the thread is in a call of the method
 *     NAME                        LP_PROPOSITION(NAME) of the harness holds
 */
#ifndef LP_CLI_STATES_STATES_LTL_H
#define LP_CLI_STATES_STATES_LTL_H

#include "explore/state/live/runs.h"
#include "verify/view/states_view.h"

struct lp_error;
struct lp_states_ltl;

/* Parses the formula.  Returns NULL, with the error set, if the formula is not valid.  Adds to the menu those
 * propositions of the harness that the formula names.  Harness and menu must outlive the result. */
struct lp_states_ltl *lp_states_ltl_open(const char *text, enum lp_fairness, const struct lp_harness *, struct lp_menu *,
					 uint32_t threads, struct lp_error *);
void lp_states_ltl_close(struct lp_states_ltl *); /* NULL is fine */

const struct lp_state_runs *lp_states_ltl_runs(const struct lp_states_ltl *);
/* Returns a monitor that keeps track of which call each thread is in, as far as the formula needs it. */
struct lp_state_monitor lp_states_ltl_monitor(struct lp_states_ltl *);
/* Returns the number of states of the formula's automaton. */
uint32_t lp_states_ltl_size(const struct lp_states_ltl *);
/* Writes the atoms about calls that held in no visited state, and returns `out`.  A formula with such an atom may hold
 * only because the atom names the wrong thread or method. */
const char *lp_states_ltl_unseen(const struct lp_states_ltl *, char *out, size_t size);

#endif
