/* order.h -- memory orders, weakest first.
 *
 * LP_PLAIN stands for a non-atomic access.  memory_order_consume is treated as LP_ACQ.
 */
#ifndef LP_BASE_ORDER_H
#define LP_BASE_ORDER_H

#include <stdbool.h>

enum lp_order { LP_PLAIN, LP_RLX, LP_ACQ, LP_REL, LP_ACQREL, LP_SC };

static inline bool lp_order_acquires(enum lp_order o)
{
	return o == LP_ACQ || o >= LP_ACQREL;
}

static inline bool lp_order_releases(enum lp_order o)
{
	return o >= LP_REL;
}

#endif
