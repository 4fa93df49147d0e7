/* split_rmw.h -- turns read-modify-writes into a separate load and store. */
#ifndef LP_FRONTEND_IR_MUTANTS_SPLIT_RMW_H
#define LP_FRONTEND_IR_MUTANTS_SPLIT_RMW_H

#include "frontend/ir/ir.h"

/* Can the instruction be split?  Only a compare-exchange, or a read-modify-write with an
 * operation that programs commonly use, can be split. */
bool lp_ir_can_split(lp_ir_value instruction);

/* Replaces a read-modify-write or a compare-exchange by a load and a store. */
void lp_ir_split_rmw(struct lp_ir *, lp_ir_value instruction);

/* Replaces a compare-exchange by a store, so that it always succeeds. */
void lp_ir_store_for_cas(struct lp_ir *, lp_ir_value cas);

#endif
