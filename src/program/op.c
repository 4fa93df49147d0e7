/* op.c -- what operations mean on values. */
#include "program/program.h"

#include "base/error.h"

typedef unsigned __int128 wide;

static wide widen(struct lp_value v)
{
	return (wide)v.hi << 64 | v.lo;
}

static struct lp_value narrow(wide w, unsigned size)
{
	struct lp_value v = { (uint64_t)w, (uint64_t)(w >> 64) };
	return lp_value_truncate(v, size);
}

bool lp_op_holds(const struct lp_op *op, struct lp_value v)
{
	struct lp_value masked = { v.lo & op->mask.lo, v.hi & op->mask.hi };

	switch ((enum lp_when)op->when) {
	case LP_ALWAYS:
		return true;
	case LP_IF_EQUAL:
		return lp_value_equal(masked, op->value);
	case LP_IF_DIFFERENT:
		return !lp_value_equal(masked, op->value);
	case LP_IF_AT_LEAST:
		return widen(v) >= widen(op->value);
	}
	LP_BUG("no condition: %u", op->when);
}

struct lp_value lp_op_result(const struct lp_op *op, struct lp_value value)
{
	const wide v = widen(value), o = widen(op->operand);

	switch ((enum lp_rmw)op->rmw) {
	case LP_XCHG:
		return narrow(o, op->size);
	case LP_ADD:
		return narrow(v + o, op->size);
	case LP_SUB:
		return narrow(v - o, op->size);
	case LP_AND:
		return narrow(v & o, op->size);
	case LP_OR:
		return narrow(v | o, op->size);
	case LP_XOR:
		return narrow(v ^ o, op->size);
	case LP_NAND:
		return narrow(~(v & o), op->size);
	}
	LP_BUG("no RMW: %u", op->rmw);
}
