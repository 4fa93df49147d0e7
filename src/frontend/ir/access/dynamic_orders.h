/* dynamic_orders.h -- memory orders that are known only at run time.
 *
 * If the order of an atomic operation is not a constant, clang makes a switch with an instruction for
 * each order; invalid values are treated as relaxed:
 *
 *     switch i32 %order, label %relaxed [ 1, 2: %acquire  5: %seq_cst ]
 *
 * With this pass, an invalid value first leads to a call of lp_invalid_order().  In the classes of libstdc++, all orders are
 * known only at run time, and assertions would fail before that call.  The pass removes these assertions, so that linchpin
 * reports the same error for C and C++.
 */
#ifndef LP_FRONTEND_IR_ACCESS_DYNAMIC_ORDERS_H
#define LP_FRONTEND_IR_ACCESS_DYNAMIC_ORDERS_H

#include "frontend/ir/ir.h"

/* To be called before lp_ir_prepare(), which replaces calls by calls of shims. */
void lp_ir_check_orders(struct lp_ir *);

#endif
