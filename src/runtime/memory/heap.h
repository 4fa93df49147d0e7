/* heap.h -- the program's heap: slabs, blocks, and two bits for every byte.
 *
 * Thread t allocates upwards in slab t and reuses memory only with --reuse (reuse.c), so an address
 * depends only on the thread and its own allocations.  Blocks are 16-aligned, and are followed by at least 16 bytes that
 * belong to no block.
 *
 * Shadow of a byte:  00 in no block  01 allocated, not written   11 written
 *                    10 freed
 * So bytes may be read if all their pairs of bits are 11, and written if the low bits of all pairs are set.
 *
 * Stacks also have a shadow (stacks.c), in which 00 means that the state of the byte is not known.
 */
#ifndef LP_RUNTIME_MEMORY_HEAP_H
#define LP_RUNTIME_MEMORY_HEAP_H

#include <string.h>

#include "runtime/machine.h"

#define RT_LOW_BITS UINT64_C(0x5555555555555555)
#define RT_HIGH_BITS UINT64_C(0xaaaaaaaaaaaaaaaa)

/* New memory is filled with this byte, which results in neither a valid pointer nor a small number. */
enum { RT_GARBAGE = 0xbe };

/* `made` and `freed` are the pcs of the allocation and the free, relative to the loaded object.  `freed` is 0 if the
 * block was not freed. */
struct rt_block {
	uint32_t start, size;
	uint32_t made, freed;
};

static inline bool rt_in_heap(uintptr_t p)
{
	return p - RT_HEAP < (uintptr_t)RT_THREADS << rt.limits.slab_bits;
}

/* Is the address one that is never valid: near NULL, or just before the first slab? */
static inline bool rt_is_nowhere(uintptr_t p)
{
	return p < 4096 || RT_HEAP - p <= UINT64_C(1) << 20;
}

static inline lp_tid rt_slab(uintptr_t p)
{
	return (lp_tid)((p - RT_HEAP) >> rt.limits.slab_bits);
}

static inline uint64_t rt_slab_offset(uintptr_t p)
{
	return (p - RT_HEAP) & ((UINT64_C(1) << rt.limits.slab_bits) - 1);
}

static inline uintptr_t rt_slab_start(lp_tid t)
{
	return RT_HEAP + ((uintptr_t)t << rt.limits.slab_bits);
}

static inline uint8_t *rt_shadow(uintptr_t p)
{
	return (uint8_t *)(RT_SHADOW + ((p - RT_STACKS) >> 2));
}

/* The table of blocks of a slab.  It has room for one block in every 32 bytes of the slab: a block and the bytes after it take
 * at least 32 bytes. */
static inline struct rt_block *rt_blocks(lp_tid t)
{
	return (struct rt_block *)(RT_BLOCKS + ((uintptr_t)t << (rt.limits.slab_bits - 1)));
}

/* The bits that belong to [p, p+size) in the 64-bit word at rt_shadow(p). */
static inline uint64_t rt_shadow_mask(uintptr_t p, size_t size)
{
	return ((UINT64_C(1) << (2 * size)) - 1) << (p & 3) * 2;
}

/* May the heap bytes [p, p+size), size at most 16, be read or, with `write`, written? */
static inline bool rt_heap_may(uintptr_t p, size_t size, bool write)
{
	const uint64_t mask = rt_shadow_mask(p, size) & (write ? RT_LOW_BITS : ~UINT64_C(0));
	uint64_t bits;

	if (rt_slab_offset(p) + size > rt.threads[rt_slab(p)].heap_used)
		return false;
	memcpy(&bits, rt_shadow(p), sizeof bits);
	return (bits & mask) == mask;
}

/* Marks the bytes as written, just before they are written. */
static inline void rt_heap_wrote(uintptr_t p, size_t size)
{
	uint64_t bits;

	memcpy(&bits, rt_shadow(p), sizeof bits);
	bits |= rt_shadow_mask(p, size);
	memcpy(rt_shadow(p), &bits, sizeof bits);
}

/* stacks.c: the same for a stack, and for any size. */
void rt_stack_wrote(uintptr_t p, size_t size);

/* The same for any address, and for any size. */
static inline void rt_wrote(uintptr_t p, size_t size)
{
	if (rt_in_stacks(p))
		rt_stack_wrote(p, size);
	if (!rt_in_heap(p))
		return;
	for (; size > 16; p += 16, size -= 16)
		rt_heap_wrote(p, 16);
	rt_heap_wrote(p, size);
}

/* To be called after an atomic store.  If leaks are searched for, notes the location if an address of the
 * heap was stored. */
static inline void rt_stored(uintptr_t loc, unsigned size, struct lp_value value)
{
	if (__builtin_expect(rt.options.leaks, 0) && size >= 8 && rt_in_heap(value.lo))
		rt_note_pointer(loc);
}

/* For bytes to which no hook has seen a write: do they still have the contents of new memory? */
bool rt_heap_untouched(uintptr_t p, size_t size);

/* Sets the two shadow bits of each byte of [p, p+size).  `pattern` has these two bits four times, such as 0x55 for 01. */
void rt_paint(uintptr_t p, size_t size, uint8_t pattern);

/* Are the bytes, at most 16, in a variable or constant of the program?  There is space between
 * variables, so it is enough to check the first and the last byte. */
static inline bool rt_in_variable(uintptr_t p, size_t size)
{
	const uint8_t *at = rt.loaded.variables + (p - rt.loaded.object.image.start);

	return lp_object_has(&rt.loaded.object, p) && lp_object_has(&rt.loaded.object, p + size - 1) && at[0] && at[size - 1];
}

/* The shadow bits of one byte. */
static inline unsigned rt_shadow_of(uintptr_t p)
{
	return *rt_shadow(p) >> (p & 3) * 2 & 3;
}

/* heap.c: stops the thread unless all of these bytes of the program's image belong to a variable.  `what` names
 * the access. */
void rt_check_variable(uintptr_t p, size_t size, bool write, uintptr_t pc, const char *what);

/* Allocates memory that was never used before. */
void *rt_heap_fresh(size_t size, size_t align, bool zeroed, uintptr_t pc);

/* The block that contains p, or the nearest one before it in its slab; or NULL. */
const struct rt_block *rt_block_near(uintptr_t p);

#endif
