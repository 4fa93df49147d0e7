/* atomics.c -- the unusual cases of atomic accesses. */
#include "runtime/hooks/atomics.h"

#include "base/error.h"
#include "runtime/ignored.h"

/* Is the address in memory that needs no test: in the program's image, or in linchpin's state? */
static bool is_known(uintptr_t loc)
{
	return lp_object_has(&rt.loaded.object, loc) || loc - RT_STATE < RT_STATE_SIZE;
}

/* Stops the thread if there is no memory at this address. */
static void check_place(uintptr_t loc, unsigned size, bool write, uintptr_t pc)
{
	if (rt_in_heap(loc)) {
		if (!rt_heap_may(loc, size, write))
			rt_check_heap(loc, size, write, pc);
	} else if (rt_in_stacks(loc)) {
		rt_check_stack(loc, size, write, pc);
	} else if (lp_object_has(&rt.loaded.object, loc)) {
		rt_check_elsewhere(loc, size, write, pc);
	} else if (!is_known(loc)) {
		rt_check_elsewhere(loc, size, write, pc);
		/* An invalid address faults here, where the fault is reported for the thread.  If there is
		 * no fault, the memory belongs to linchpin or a library, and the program must not change
		 * it. */
		(void)*(volatile uint8_t *)loc;
		rt_error(LP_ERROR_UNSUPPORTED, pc, (void *)loc,
			 "an atomic access to memory that is not the program's (a wild pointer?)");
	}
}

void rt_atomic_strange(uintptr_t loc, unsigned size, bool write, uintptr_t pc)
{
	LP_HOLDS(size && size <= 16 && !(size & (size - 1)));
	check_place(loc, size, write, pc);
	if (loc & (size - 1))
		rt_error(LP_ERROR_MISALIGNED, pc, (void *)loc,
			 "an atomic access of %u bytes at an address that is not a multiple of that: "
			 "undefined behaviour", size);
}

enum lp_order rt_atomic_disorder(const char *what, enum lp_order order, uintptr_t loc, uintptr_t pc)
{
	static const char *const names[] = { [LP_ACQ] = "acquire", [LP_REL] = "release",
					     [LP_ACQREL] = "acq_rel" };

	LP_HOLDS((unsigned)order < sizeof names / sizeof *names && names[order]); /* all other orders are valid
	                                                                           * everywhere */
	if (!rt.options.invalid_orders && !lp_native_passes_over(LP_ERROR_ORDER, pc))
		rt_error(LP_ERROR_ORDER, pc, (void *)loc,
			 "%s with memory_order_%s: undefined behaviour", what, names[order]);
	return LP_RLX;
}

struct lp_value rt_atomic_rmw_alone(enum lp_rmw how, uintptr_t loc, unsigned size,
				 struct lp_value operand)
{
	const struct lp_op op = { .rmw = (uint8_t)how, .size = (uint8_t)size, .operand = operand };
	const struct lp_value value = lp_value_read((void *)loc, size);
	LP_HOLDS(rt_alone() && loc % size == 0);

	lp_value_write((void *)loc, lp_op_result(&op, value), size);
	return value;
}

struct lp_value rt_atomic_cas_alone(uintptr_t loc, unsigned size, struct lp_value expected,
				    struct lp_value wanted, bool *failed)
{
	const struct lp_value value = lp_value_read((void *)loc, size);
	LP_HOLDS(rt_alone() && loc % size == 0);

	*failed = !lp_value_equal(value, expected);
	if (!*failed)
		lp_value_write((void *)loc, wanted, size);
	return value;
}
