/* dynamic_orders.h -- memory orders that are known only when the program runs.
 *
 * Where the order of an atomic operation is no constant, clang makes a switch with an instruction for
 * each order; values that the operation cannot have go the way of relaxed:
 *
 *     switch i32 %order, label %relaxed [ 1, 2: %acquire  5: %seq_cst ]
 *
 * Here they call lp_invalid_order() on that way.  The classes of libstdc++, whose orders are all of
 * this kind, have assertions about them, which would be met first: they are taken out, so that C
 * and C++ give the same answer.
 */
#ifndef LP_FRONTEND_IR_ACCESS_DYNAMIC_ORDERS_H
#define LP_FRONTEND_IR_ACCESS_DYNAMIC_ORDERS_H

#include "frontend/ir/ir.h"

/* Before names are bound. */
void lp_ir_check_orders(struct lp_ir *);

#endif
