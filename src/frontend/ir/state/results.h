/* results.h -- finds out how the result of a call is used, and whether a call can be reached
 * again. */
#ifndef LP_FRONTEND_IR_STATE_RESULTS_H
#define LP_FRONTEND_IR_STATE_RESULTS_H

#include "frontend/ir/ir.h"

enum lp_site_result lp_ir_result(lp_ir_value call);

/* Is the result of the call used only by functions for which it makes no difference?  Examples are
 *
 *     srand(time(NULL));      usleep(rand() % 100); */
bool lp_ir_result_is_dropped(lp_ir_value call);

/* Is the basic block of the instruction on a cycle? */
bool lp_ir_on_cycle(lp_ir_value x);

/* Can the function be called again before it has returned, by direct calls? */
bool lp_ir_calls_itself(lp_ir_value function);

#endif
