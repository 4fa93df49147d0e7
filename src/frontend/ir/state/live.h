/* live.h -- computes which values, and which variables in memory, are live at the sites of a function.
 *
 * A value is live if it may still be used.  A variable that other threads may know is live during its whole
 * lifetime.  A private variable is live if it may be read before it is overwritten completely.  In case of doubt, it counts as
 * live.
 */
#ifndef LP_FRONTEND_IR_STATE_LIVE_H
#define LP_FRONTEND_IR_STATE_LIVE_H

#include "frontend/ir/ir.h"

static inline bool lp_ir_bit(const uint64_t *bits, uint32_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

struct lp_ir_live {
	/* What can be live, numbered: first values (arguments, results of instructions), then variables in memory. */
	struct lp_ir_values values;
	uint32_t variables;      /* the number of the first variable */
	struct lp_ir_values sites;
	uint32_t words;          /* the number of 64-bit words of a set */
	uint64_t *at_sites;      /* for each site, the set of values and variables that are live during the call */
	uint64_t *together;      /* for each value v, a set of values and variables: those that are live where v is defined, and
				  * those that are defined where v is live */
	bool unknown;            /* liveness is not known, because the function has arrays of variable length */
};

void lp_ir_live_find(struct lp_ir *, lp_ir_value function, struct lp_ir_live *);
void lp_ir_live_drop(struct lp_ir_live *);

#endif
