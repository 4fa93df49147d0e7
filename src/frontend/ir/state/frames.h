/* frames.h -- explicit frames with the live values (frontend/abi.h). */
#ifndef LP_FRONTEND_IR_STATE_FRAMES_H
#define LP_FRONTEND_IR_STATE_FRAMES_H

#include "frontend/ir/ir.h"

/* Gives every function with a site a frame, and every site a list of the slots that are live there.  Before that, the caller has
 * split each edge from an invoke to a block that has other predecessors. */
void lp_ir_insert_frames(struct lp_ir *);

#endif
