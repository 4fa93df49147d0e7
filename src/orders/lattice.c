/* lattice.c -- the memory orders of operations. */
#include "orders/lattice.h"

#include <string.h>

bool lp_order_fits(enum lp_order_use use, enum lp_order o)
{
	switch (use) {
	case LP_USE_LOAD:
	case LP_USE_FAILURE:
		return o == LP_RLX || o == LP_ACQ || o == LP_SC;
	case LP_USE_STORE:
		return o == LP_RLX || o == LP_REL || o == LP_SC;
	case LP_USE_RMW:
	case LP_USE_FENCE:
		return o >= LP_RLX;
	}
	return false;
}

static const char *const names[LP_ORDERS] = {
	[LP_PLAIN] = "plain",     [LP_RLX] = "relaxed",     [LP_ACQ] = "acquire",
	[LP_REL] = "release", [LP_ACQREL] = "acq_rel", [LP_SC] = "seq_cst",
};

const char *lp_order_name(enum lp_order_use use, enum lp_order o)
{
	return use == LP_USE_FENCE && o == LP_RLX ? "none" : names[o];
}

enum lp_order lp_order_named(enum lp_order_use use, const char *name)
{
	for (enum lp_order o = LP_RLX; o <= LP_SC; o++)
		if (lp_order_fits(use, o) && (!strcmp(name, names[o]) || !strcmp(name, lp_order_name(use, o))))
			return o;
	return LP_PLAIN;
}

/* x86: loads are acquire, stores release and read-modify-writes seq_cst, whatever is asked for; a
 * seq_cst store is an exchange, a seq_cst fence an mfence; other fences are nothing.
 * arm (64 bits): ldapr, ldar and stlr, and read-modify-writes of the same kinds; an acquire fence is a
 * dmb ishld, all others are a dmb ish. */
static const uint8_t x86[][LP_ORDERS] = {
	[LP_USE_LOAD] = { 0 },
	[LP_USE_STORE] = { [LP_SC] = 20 },
	[LP_USE_RMW] = { 0 },
	[LP_USE_FAILURE] = { 0 },
	[LP_USE_FENCE] = { [LP_SC] = 20 },
};

static const uint8_t arm[][LP_ORDERS] = {
	[LP_USE_LOAD] = { [LP_ACQ] = 2, [LP_SC] = 3 },
	[LP_USE_STORE] = { [LP_REL] = 3, [LP_SC] = 3 },
	[LP_USE_RMW] = { [LP_ACQ] = 2, [LP_REL] = 3, [LP_ACQREL] = 5, [LP_SC] = 5 },
	[LP_USE_FAILURE] = { [LP_ACQ] = 1, [LP_SC] = 1 },
	[LP_USE_FENCE] = { [LP_ACQ] = 8, [LP_REL] = 15, [LP_ACQREL] = 15, [LP_SC] = 15 },
};

/* Where nothing is known of the processor: what the orders forbid. */
static const uint8_t generic[][LP_ORDERS] = {
	[LP_USE_LOAD] = { [LP_ACQ] = 1, [LP_SC] = 3 },
	[LP_USE_STORE] = { [LP_REL] = 1, [LP_SC] = 4 },
	[LP_USE_RMW] = { [LP_ACQ] = 1, [LP_REL] = 1, [LP_ACQREL] = 2, [LP_SC] = 4 },
	[LP_USE_FAILURE] = { [LP_ACQ] = 1, [LP_SC] = 2 },
	[LP_USE_FENCE] = { [LP_ACQ] = 3, [LP_REL] = 3, [LP_ACQREL] = 4, [LP_SC] = 8 },
};

uint32_t lp_order_cost(enum lp_order_target target, enum lp_order_use use, enum lp_order o)
{
	switch (target) {
	case LP_TARGET_X86:
		return x86[use][o];
	case LP_TARGET_ARM:
		return arm[use][o];
	case LP_TARGET_GENERIC:
		break;
	}
	return generic[use][o];
}
