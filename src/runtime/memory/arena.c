/* arena.c -- the heap of processes. */
#include "runtime/memory/arena.h"

#include <string.h>

#include "base/error.h"
#include "program/process.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/held.h"

static uint64_t *head_of(uint32_t slot)
{
	LP_HOLDS(slot < RT_SLOTS && rt.process.arena);
	return (uint64_t *)(rt.process.arena + slot * RT_SLOT_SIZE + 8);
}

static uintptr_t block_of(uint32_t slot)
{
	return rt.process.arena + slot * RT_SLOT_SIZE + RT_SLOT_HEAD;
}

static bool is_freed(uint32_t slot)
{
	return *head_of(slot) & 1; /* process.h */
}

static size_t size_of(uint32_t slot)
{
	return (size_t)(*head_of(slot) >> 1);
}

/* During the set-up the shadow knows which bytes belong to blocks, but not which of them were
 * written. */
void rt_arena_open(void)
{
	struct rt_thread *thread = &rt.threads[0];
	const uint64_t start = (thread->heap_used + 255) & ~UINT64_C(255);
	const size_t size = RT_SLOTS * RT_SLOT_SIZE;

	rt.process.arena = rt_slab_start(0) + start;
	memset(rt_shadow(rt_slab_start(0) + thread->heap_used), 0, (start + size - thread->heap_used) / 4);
	memset((void *)rt.process.arena, RT_GARBAGE, size);
	for (uint32_t i = 0; i < RT_SLOTS; i++)
		*head_of(i) = 0;
	LP_HOLDS(start + size <= UINT64_C(1) << rt.limits.slab_bits);
	rt_blocks(0)[thread->blocks++] =
		(struct rt_block){ (uint32_t)start, (uint32_t)size, 1, 0 };
	thread->heap_used = (uint32_t)(start + size);
	rt.now.heap_total += size;
}

void rt_arena_share(void)
{
	rt_paint(rt.process.arena, RT_SLOTS * RT_SLOT_SIZE, 0xff);
}

uint32_t rt_arena_slot(uint64_t word)
{
	const uint64_t address = word & ((UINT64_C(1) << 48) - 1);

	return rt.process.arena && address - rt.process.arena < RT_SLOTS * RT_SLOT_SIZE ?
	       (uint32_t)((address - rt.process.arena) / RT_SLOT_SIZE) : RT_SLOTS;
}

bool rt_arena_has(uintptr_t p)
{
	return rt_arena_slot(p) < RT_SLOTS && p >> 48 == 0;
}

/* A pointer just behind a block must not point into the next slot. */
bool rt_arena_takes(size_t size, size_t align, uintptr_t pc)
{
	const bool fits = size <= RT_SLOT_SIZE - 2 * RT_SLOT_HEAD && align <= 16;

	if (!fits && rt.process.anonymous)
		rt_error(LP_ERROR_UNSUPPORTED, pc, NULL, "a call allocates %zu bytes at once: more than %d",
			 size, RT_SLOT_SIZE - 2 * RT_SLOT_HEAD);
	return fits;
}

/* A slot that was never used; if there is none, one whose block was freed. */
static uint32_t find_slot(void)
{
	uint32_t slot = 0;

	while (slot < RT_SLOTS && *head_of(slot))
		slot++;
	if (slot == RT_SLOTS)
		for (slot = 0; slot < RT_SLOTS && !is_freed(slot);)
			slot++;
	return slot;
}

static void *alloc_alone(size_t size, bool zeroed)
{
	const uint32_t slot = find_slot();

	if (slot == RT_SLOTS)
		return NULL;
	LP_HOLDS(size <= RT_SLOT_SIZE - 2 * RT_SLOT_HEAD);
	*head_of(slot) = size << 1 | (!size ? 2 : 0);
	rt_paint(block_of(slot), RT_SLOT_SIZE - RT_SLOT_HEAD, 0);
	rt_paint(block_of(slot), size_of(slot), 0xff);
	if (zeroed)
		memset((void *)block_of(slot), 0, size);
	return (void *)block_of(slot);
}

/* Slots are not used again as long as others are left, so that uses of freed blocks are found. */
static void free_alone(uintptr_t p, uintptr_t pc)
{
	const uint32_t slot = rt_arena_slot(p);

	if (!*head_of(slot) || p != block_of(slot))
		rt_error(LP_ERROR_INVALID_FREE, pc, (void *)p, "free of an address that malloc did not return");
	if (is_freed(slot))
		rt_error(LP_ERROR_DOUBLE_FREE, pc, (void *)p, "the memory was already freed");
	*head_of(slot) |= 1;
	rt_paint(p, size_of(slot), 0xaa);
}

_Noreturn void rt_arena_complain(uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	const uint32_t slot = rt_arena_slot(p);
	const char *access = write ? "write" : "read";

	if (is_freed(slot) && p - block_of(slot) < size_of(slot))
		rt_error(LP_ERROR_USE_AFTER_FREE, pc, (void *)p, "%s of %zu bytes of a block that was freed", access, size);
	rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, (void *)p, "%s of %zu bytes outside of any block", access, size);
}

void *rt_arena_alloc(size_t size, bool zeroed, uintptr_t pc)
{
	const struct lp_op op = { .kind = LP_OP_ALLOC, .pc = pc, .name = "malloc",
				  .operand = { size ? size : 1, zeroed } };

	if (rt.process.anonymous)
		return (void *)rt_op(&op).value.lo;
	void *block = alloc_alone(size, zeroed);
	if (!block)
		rt_error(LP_ERROR_UNSUPPORTED, pc, NULL, "the set-up allocates more than %d blocks", RT_SLOTS);
	return block;
}

void rt_arena_free(uintptr_t p, uintptr_t pc)
{
	const struct lp_op op = { .kind = LP_OP_FREE, .pc = pc, .name = "free", .loc = p };

	if (rt.process.anonymous && rt_arena_has(p)) {
		rt_held_freed(p);
		rt_op(&op);
	} else if (rt.process.anonymous) {
		rt_error(LP_ERROR_UNSUPPORTED, pc, (void *)p, "a call frees a large block of the set-up");
	} else {
		free_alone(p, pc);
	}
}

void rt_arena_refuse(uintptr_t p)
{
	if (rt.self && rt.process.arena && rt_arena_has(p))
		rt_error(LP_ERROR_UNSUPPORTED, (uintptr_t)rt_site(), (void *)p,
			 "realloc() and the like where states are compared");
}
