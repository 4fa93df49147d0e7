/* frames.h -- explicit frames with the live values (frontend/abi.h). */
#ifndef LP_FRONTEND_IR_STATE_FRAMES_H
#define LP_FRONTEND_IR_STATE_FRAMES_H

#include "frontend/ir/ir.h"

/* Every function with a site gets a frame, and every site gets a list of the slots that are live there.  Edges from
 * invokes to blocks with other predecessors must have been split. */
void lp_ir_insert_frames(struct lp_ir *);

#endif
