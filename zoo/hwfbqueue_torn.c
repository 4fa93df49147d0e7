/* hwfbqueue_torn.c -- the array queue with both ends in one word, whose enqueue draws its index by a
 * load and a store.
 *
 * Golovin, Kokologiannakis and Vafeiadis, "RELINCHE" (POPL 2025), figure 7 has a "hwfbqueue-buggy"
 * that takes four calls, and does not say what is wrong with it.  This is an error of that size:
 * two enqueues fill the same slot, or an enqueue brings back a front that a dequeue has
 * moved.  Two others are bug_hwfbqueue.c and bug_hwfbqueue_order.c of examples/.
 */
#include <stdatomic.h>
#include <stdint.h>

static uint64_t draw_back(_Atomic(uint64_t) *ends)
{
	uint64_t drawn = atomic_load_explicit(ends, memory_order_relaxed);
	atomic_store_explicit(ends, drawn + 1, memory_order_relaxed);
	return drawn;
}

#define DRAW_BACK draw_back
#include "../examples/hwfbqueue.c"
