/* reuse.c -- lets allocations return freed blocks (--reuse).
 *
 * Without --reuse an address is never given out twice, so a pointer to a new block never equals a
 * pointer to a block that was freed.  With --reuse an allocation may return
 * any freed block of its size, and both possibilities are explored.  This is necessary to find ABA
 * problems.
 *
 * Freed blocks are on a list under a lock, as in any allocator, so a free is ordered before
 * the allocation that returns its block.  An allocation that gets fresh memory does not access the
 * list; its only event is the choice.
 *
 * lp_pool_alloc() and lp_pool_free() are an allocator for type-stable memory: a block that was
 * given back may still be read, and keeps its contents until it is handed out again.
 */
#include "base/error.h"
#include "runtime/memory/arena.h"
#include "runtime/memory/heap.h"

enum { BLOCKS = 60 };

struct list {
	uint64_t lock;
	uint32_t count;
	uintptr_t at[BLOCKS];
};

/* The owners of the lists in execution state. */
static const char heap_list, pool_list;

static void operate(struct list *list, bool lock, uintptr_t pc)
{
	const struct lp_op op = {
		.kind = lock ? LP_OP_RMW : LP_OP_STORE, .size = 8, .order = lock ? LP_ACQ : LP_REL,
		.rmw = LP_XCHG, .when = lock ? LP_IF_EQUAL : LP_ALWAYS,
		.otherwise = lock ? LP_ELSE_WAIT : LP_ELSE_FAIL, .internal = true, .pc = pc,
		.loc = (uintptr_t)&list->lock, .mask = { UINT64_MAX, UINT64_MAX },
		.operand = { lock, 0 }, .name = lock ? "reuse of memory" : "reuse of memory: done",
	};

	rt_op(&op);
}

static struct list *list_of(const char *owner)
{
	return rt_state(owner, sizeof(struct list));
}

static void give_back(const char *owner, uintptr_t p, uintptr_t pc)
{
	struct list *list = list_of(owner);

	operate(list, true, pc);
	if (list->count == BLOCKS)
		rt_error(LP_ERROR_UNSUPPORTED, pc, NULL, "more than %d freed blocks with --reuse", BLOCKS);
	LP_HOLDS(list->lock && list->count < BLOCKS);
	list->at[list->count++] = p;
	rt_changed();
	operate(list, false, pc);
}

/* Returns a freed block of that size, or 0 if fresh memory is to be used. */
static uintptr_t take(const char *owner, size_t size, uintptr_t pc)
{
	struct list *list = list_of(owner);
	uint32_t fit[BLOCKS], count = 0;

	if (rt_choose("reuse of memory", pc, 2) == 0)
		return 0;
	operate(list, true, pc);
	for (uint32_t i = 0; i < list->count; i++)
		if (rt_heap_size((void *)list->at[i]) == size)
			fit[count++] = i;
	if (!count)
		rt_block(pc); /* this execution is explored with the other choice */
	const uint32_t chosen = fit[count > 1 ? rt_choose("reuse of memory", pc, count) : 0];
	LP_HOLDS(chosen < list->count);
	const uintptr_t p = list->at[chosen];
	list->at[chosen] = list->at[--list->count];
	rt_changed();
	operate(list, false, pc);
	return p;
}

uintptr_t rt_reuse_take(size_t size, uintptr_t pc)
{
	return take(&heap_list, size, pc);
}

void rt_reuse_give_back(uintptr_t p, uintptr_t pc)
{
	give_back(&heap_list, p, pc);
}

LP_API void *lp_shim_lp_pool_alloc(size_t size)
{
	const uintptr_t pc = RT_PC;

	if (rt.process.arena && rt_arena_takes(size, 16, pc))
		return rt_arena_alloc(size, false, pc);
	const uintptr_t again = rt.options.reuse && rt_running() ? take(&pool_list, size, pc) : 0;

	return again ? (void *)again : rt_heap_fresh(size, 16, false, pc);
}

LP_API void lp_shim_lp_pool_free(void *block)
{
	const uintptr_t pc = RT_PC;

	/* If states are compared, a freed block may still be read as long as a pointer leads to it. */
	if (!block || (rt.process.arena && rt_arena_has((uintptr_t)block)))
		return;
	if (!rt_heap_live(block))
		rt_error(LP_ERROR_INVALID_FREE, pc, block, "lp_pool_free() of something that is not a block");
	if (rt.options.reuse && rt_running())
		give_back(&pool_list, (uintptr_t)block, pc);
}
