/* states_why.h -- why what the state explorer found is wrong: the closest order of the calls. */
#ifndef LP_VERIFY_VIEW_STATES_WHY_H
#define LP_VERIFY_VIEW_STATES_WHY_H

#include "verify/view/states_view.h"

/* Adds to the client, whose calls are those of lp_states_view(), the order of them that comes closest, with the states of the
 * specification, and what the others would return then.  Nothing if there are more calls than that can be tried for. */
void lp_states_why(const struct lp_exploration *, const struct lp_harness *, const struct lp_menu *, uint32_t threads,
		   struct lp_arena *, struct lp_result_client *);

#endif
