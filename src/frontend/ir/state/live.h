/* live.h -- computes which values, and which variables in memory, are live at the sites of a function.
 *
 * A value is live if it may still be used.  A variable that other threads may know is live during its whole
 * lifetime; a private one is live if it may be read before it is overwritten completely.  This is
 * conservative: in case of doubt a value is live.
 */
#ifndef LP_FRONTEND_IR_STATE_LIVE_H
#define LP_FRONTEND_IR_STATE_LIVE_H

#include "frontend/ir/ir.h"

static inline bool lp_ir_bit(const uint64_t *bits, uint32_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

struct lp_ir_live {
	/* Numbered: first values (arguments, results of instructions), then variables in memory. */
	struct lp_ir_values values;
	uint32_t variables;      /* the number of the first variable */
	struct lp_ir_values sites;
	uint32_t words;          /* the number of 64-bit words of a set */
	uint64_t *at_sites;      /* one set per site: live during the call */
	uint64_t *together;      /* one set per value: live when it is defined, or defined when it is live */
	bool unknown;            /* liveness is not known: there are arrays of variable length */
};

void lp_ir_live_find(struct lp_ir *, lp_ir_value function, struct lp_ir_live *);
void lp_ir_live_drop(struct lp_ir_live *);

#endif
