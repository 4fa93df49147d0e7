/* op.c -- what operations mean on values. */
#include "program/program.h"

#include <string.h>

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

bool lp_op_condition_holds(const struct lp_op *op, struct lp_value v)
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

static __int128 signed_of(wide w, unsigned size)
{
	const unsigned unused = 128 - 8 * size;

	return (__int128)(w << unused) >> unused;
}

static double real_of(wide w, unsigned size)
{
	const uint32_t low = (uint32_t)w;
	const uint64_t all = (uint64_t)w;
	float single;
	double real;

	if (size == sizeof single) {
		memcpy(&single, &low, sizeof single);
		return (double)single;
	}
	memcpy(&real, &all, sizeof real);
	return real;
}

/* A sum of two floats that is rounded to double, and then to float, is rounded right: double has
 * more than twice the digits. */
static wide bits_of(double real, unsigned size)
{
	const float single = (float)real;
	uint32_t low;
	uint64_t all;

	if (size == sizeof single) {
		memcpy(&low, &single, sizeof low);
		return low;
	}
	memcpy(&all, &real, sizeof all);
	return all;
}

/* fmax() and fmin(): a number is preferred to NaN. */
static wide real_result(enum lp_rmw how, wide v, wide o, unsigned size)
{
	const double a = real_of(v, size), b = real_of(o, size);

	switch (how) {
	case LP_FADD:
		return bits_of(a + b, size);
	case LP_FSUB:
		return bits_of(a - b, size);
	case LP_FMAX:
		return a != a || b > a ? o : v;
	default:
		return a != a || b < a ? o : v;
	}
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
	case LP_MAX:
		return narrow(signed_of(v, op->size) > signed_of(o, op->size) ? v : o, op->size);
	case LP_MIN:
		return narrow(signed_of(v, op->size) < signed_of(o, op->size) ? v : o, op->size);
	case LP_UMAX:
		return narrow(v > o ? v : o, op->size);
	case LP_UMIN:
		return narrow(v < o ? v : o, op->size);
	case LP_FADD:
	case LP_FSUB:
	case LP_FMAX:
	case LP_FMIN:
		return narrow(real_result((enum lp_rmw)op->rmw, v, o, op->size), op->size);
	}
	LP_BUG("no RMW: %u", op->rmw);
}
