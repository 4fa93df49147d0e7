/* atomics.h -- atomic accesses of the user's code, for all hooks that make them.
 *
 * The explorer's answer decides what a load returns.  A location in memory always has the value of the
 * last operation performed on it, for plain code and debuggers.  Uninitialised memory becomes initialised
 * when a store is performed, not when it is requested: until then the initial value may be read.
 *
 * All functions are inlined into the hooks: after a switch of stacks the processor mispredicts
 * every return, so each call between the user's code and the switch would cost more than the
 * function itself.
 */
#ifndef LP_RUNTIME_HOOKS_ATOMICS_H
#define LP_RUNTIME_HOOKS_ATOMICS_H

#include "base/error.h"
#include "runtime/hooks/hooks.h"
#include "runtime/hooks/plain.h"

/* Stops the thread if it must not access this memory, which may be of any kind. */
void rt_atomic_strange(uintptr_t loc, unsigned size, bool write, uintptr_t pc);

/* To be called when an access, called `what` in reports, has a memory order that is not allowed for
 * it.  Stops the thread, or returns the order to be used instead (--invalid-orders ignore). */
enum lp_order rt_atomic_disorder(const char *what, enum lp_order, uintptr_t loc, uintptr_t pc);

/* For constructors, which run before any execution: these functions take effect on memory at once. */
struct lp_value rt_atomic_rmw_alone(enum lp_rmw, uintptr_t loc, unsigned size,
				    struct lp_value operand);
struct lp_value rt_atomic_cas_alone(uintptr_t loc, unsigned size, struct lp_value expected,
				    struct lp_value wanted, bool *failed);

RT_INLINE void rt_atomic_check(uintptr_t loc, unsigned size, bool write, uintptr_t pc)
{
	if (__builtin_expect((loc & (size - 1)) == 0, 1) &&
	    (rt_in_heap(loc) ? rt_heap_may(loc, size, write) : rt_in_variable(loc, size)))
		return;
	rt_atomic_strange(loc, size, write, pc);
}

/* To be called after the thread has waited for its answer: meanwhile the memory may have been freed. */
RT_INLINE void rt_atomic_recheck(uintptr_t loc, unsigned size, uintptr_t pc)
{
	if (rt_in_heap(loc) && !rt_heap_may(loc, size, true))
		rt_check_heap(loc, size, true, pc);
}

RT_INLINE bool rt_alone(void)
{
	return rt.setting_up || !rt.self;
}

/* Returns the thread's record of its operation, cleared.  The hook fills it in place, because copying
 * a structure that was just written field by field stalls the processor. */
RT_INLINE struct lp_op *rt_new_op(enum lp_op_kind kind, uintptr_t loc, unsigned size,
				  enum lp_order order, uintptr_t pc)
{
	struct lp_op *op = &rt.self->op;
	LP_HOLDS(size <= 16 && !(size & (size - 1)) && (!size || loc % size == 0));

	memset(op, 0, sizeof *op);
	op->kind = (uint8_t)kind;
	op->size = (uint8_t)size;
	op->order = (uint8_t)order;
	op->loc = loc;
	op->pc = pc;
	rt_at_pc(pc);
	rt.self->simple = true;
	rt.self->argument = 0;
	return op;
}

/* The parameter `argument` below is the value that the hook needs after the operation, besides the
 * operation and its answer.  It is part of the thread's live state while the operation is pending. */

RT_INLINE struct lp_value rt_atomic_load(uintptr_t loc, unsigned size, enum lp_order order,
					 uintptr_t argument, uintptr_t pc)
{
	if (rt_alone())
		return lp_value_read((void *)loc, size);
	if (__builtin_expect(order == LP_REL || order == LP_ACQREL, 0))
		order = rt_atomic_disorder("a load", order, loc, pc);
	rt_atomic_check(loc, size, false, pc);
	rt_new_op(LP_OP_LOAD, loc, size, order, pc);
	rt.self->argument = argument;
	rt_present();
	const struct lp_value value = rt.answer.value;
	rt_atomic_recheck(loc, size, pc);
	return value;
}

RT_INLINE void rt_atomic_store(uintptr_t loc, unsigned size, enum lp_order order,
			       struct lp_value value, uintptr_t pc)
{
	if (!rt_alone()) {
		if (__builtin_expect(order == LP_ACQ || order == LP_ACQREL, 0))
			order = rt_atomic_disorder("a store", order, loc, pc);
		rt_atomic_check(loc, size, true, pc);
		struct lp_op *op = rt_new_op(LP_OP_STORE, loc, size, order, pc);
		op->operand = value;
		op->loop = rt_live_on_loop();
		rt_present();
		rt_atomic_recheck(loc, size, pc);
	}
	rt_wrote(loc, size);
	lp_value_write((void *)loc, value, size);
	rt_stored(loc, size, value);
}

/* Presents the RMW in the thread's record, and performs its write, if there is one. */
RT_INLINE struct lp_value rt_present_rmw(uintptr_t loc, unsigned size, uintptr_t pc, bool *failed)
{
	LP_HOLDS(rt.self->op.kind == LP_OP_RMW && rt.self->op.loc == loc);
	rt_present();
	const struct lp_value value = rt.answer.value;
	*failed = rt.answer.failed;
	LP_HOLDS(!*failed || rt.self->op.otherwise == LP_ELSE_FAIL); /* else it would wait, or be dropped */
	rt_atomic_recheck(loc, size, pc);
	if (!*failed) {
		lp_value_write((void *)loc, rt.answer.wrote, size);
		rt_stored(loc, size, rt.answer.wrote);
	}
	return value;
}

/* Is the thread's future independent of the result of the hook at that site? */
RT_INLINE bool rt_ignores(const struct lp_site *site)
{
	return site->result != LP_RESULT_USED && rt_live_ignores(site);
}

struct rt_rmw {
	enum lp_rmw how;
	enum lp_order order;
	struct lp_value operand;
	uintptr_t argument;
};

RT_INLINE struct lp_value rt_atomic_rmw(uintptr_t loc, unsigned size, const struct rt_rmw *rmw, uintptr_t pc)
{
	bool failed;

	if (rt_alone())
		return rt_atomic_rmw_alone(rmw->how, loc, size, rmw->operand);
	rt_atomic_check(loc, size, false, pc);
	struct lp_op *op = rt_new_op(LP_OP_RMW, loc, size, rmw->order, pc);
	op->rmw = (uint8_t)rmw->how;
	op->operand = rmw->operand;
	rt.self->argument = rmw->argument;
	op->unused = !rmw->argument && pc && rt_ignores((const struct lp_site *)pc);
	return rt_present_rmw(loc, size, pc, &failed);
}

struct rt_cas {
	struct lp_value expected, wanted;
	enum lp_order order, fail_order;
	bool weak;
	bool unused;        /* the thread uses neither the value read nor whether the operation succeeded */
	uintptr_t argument;
};

/* Returns the value read; `*failed` tells whether the operation failed, and nothing was written. */
RT_INLINE struct lp_value rt_atomic_cas(uintptr_t loc, unsigned size, const struct rt_cas *cas,
					bool *failed, uintptr_t pc)
{
	enum lp_order fail = cas->fail_order;

	if (rt_alone())
		return rt_atomic_cas_alone(loc, size, cas->expected, cas->wanted, failed);
	if (__builtin_expect(fail == LP_REL || fail == LP_ACQREL, 0))
		fail = rt_atomic_disorder("a compare-exchange that fails", fail, loc, pc);
	rt_atomic_check(loc, size, false, pc);
	struct lp_op *op = rt_new_op(LP_OP_RMW, loc, size, cas->order, pc);
	op->fail_order = (uint8_t)fail;
	op->rmw = LP_XCHG;
	op->when = LP_IF_EQUAL;
	op->otherwise = LP_ELSE_FAIL;
	op->weak = cas->weak;
	op->operand = cas->wanted;
	op->value = cas->expected;
	op->mask = (struct lp_value){ UINT64_MAX, UINT64_MAX };
	rt.self->argument = cas->argument;
	op->unused = cas->unused;
	return rt_present_rmw(loc, size, pc, failed);
}

RT_INLINE void rt_atomic_fence(enum lp_order order, uintptr_t pc)
{
	if (rt_alone())
		return;
	LP_HOLDS(order != LP_RLX); /* such a fence is not performed */
	rt_new_op(LP_OP_FENCE, 0, 0, order, pc);
	rt_present();
}

#endif
