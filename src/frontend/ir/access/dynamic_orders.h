/* dynamic_orders.h -- memory orders that are known only at run time.
 *
 * If the order of an atomic operation is not a constant, clang makes a switch with an instruction for
 * each order; invalid values are treated as relaxed:
 *
 *     switch i32 %order, label %relaxed [ 1, 2: %acquire  5: %seq_cst ]
 *
 * This pass makes invalid values call lp_invalid_order() first.  The classes of libstdc++, whose orders are
 * all of this kind, have assertions about them, which would fail earlier: they are removed, so that C
 * and C++ give the same answer.
 */
#ifndef LP_FRONTEND_IR_ACCESS_DYNAMIC_ORDERS_H
#define LP_FRONTEND_IR_ACCESS_DYNAMIC_ORDERS_H

#include "frontend/ir/ir.h"

/* To be called before names are bound (lp_ir_prepare()). */
void lp_ir_check_orders(struct lp_ir *);

#endif
