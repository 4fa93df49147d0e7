/* heap.c -- allocates blocks, and describes errors of accesses. */
#include "runtime/memory/heap.h"
#include "runtime/memory/arena.h"
#include "runtime/ignored.h"

#include <stdio.h>

#include "base/error.h"

enum { ROOM_BEHIND = 16 };

void rt_paint(uintptr_t p, size_t size, uint8_t pattern)
{
	LP_HOLDS(rt_in_stacks(p) || rt_in_heap(p) || !size);
	for (; size && p & 3; p++, size--) {
		const unsigned shift = (unsigned)(p & 3) * 2;
		*rt_shadow(p) = (uint8_t)((*rt_shadow(p) & ~(3u << shift)) |
					  (pattern & 3u) << shift);
	}
	memset(rt_shadow(p), pattern, size / 4);
	if (size % 4) {
		uint8_t *last = rt_shadow(p) + size / 4;
		const uint8_t mask = (uint8_t)((1u << (2 * (size % 4))) - 1);
		*last = (uint8_t)((*last & ~mask) | (pattern & mask));
	}
}

static uint32_t relative(uintptr_t pc)
{
	return lp_object_has(&rt.loaded.object, pc) ? (uint32_t)(pc - rt.loaded.object.base) : 1;
}

static uintptr_t absolute(uint32_t place)
{
	return rt.loaded.object.base + place;
}

/* Makes a freed block an allocated one again. */
static void *revive(uintptr_t p, bool zeroed, uintptr_t pc)
{
	struct rt_block *b = (struct rt_block *)rt_block_near(p);

	LP_HOLDS(b && b->freed && rt_slab_start(rt_slab(p)) + b->start == p);
	b->made = relative(pc);
	b->freed = 0;
	rt_paint(p, b->size, zeroed ? 0xff : 0x55);
	memset((void *)p, zeroed ? 0 : RT_GARBAGE, b->size);
	rt.self->changes++;
	rt.program.observer->allocated(rt.program.observer, rt_id(rt.self), p, b->size, pc);
	if (zeroed && b->size)
		rt_fill((void *)p, 0, b->size, pc);
	return (void *)p;
}

void *rt_heap_alloc(size_t size, size_t align, bool zeroed, uintptr_t pc)
{
	uintptr_t again = 0;

	rt_need_stack(pc);
	rt_differs();
	if (rt.process.arena && rt_arena_takes(size, align, pc))
		return rt_arena_alloc(size, zeroed, pc);
	if (rt.options.reuse && !rt.setting_up && align <= 16)
		again = rt_reuse_take(size, pc);
	return again ? revive(again, zeroed, pc) : rt_heap_fresh(size, align, zeroed, pc);
}

void *rt_heap_fresh(size_t size, size_t align, bool zeroed, uintptr_t pc)
{
	struct rt_thread *self = rt.self;
	const lp_tid t = rt_id(self);

	rt_need_stack(pc);
	if (align < 16)
		align = 16;
	const uint64_t start = (self->heap_used + align - 1) & ~(uint64_t)(align - 1);
	/* A block takes at least 32 bytes, because the table has no room for more blocks. */
	const uint64_t used = ((start + size + !size + 15) & ~UINT64_C(15)) + ROOM_BEHIND;
	const uint64_t grown = used - self->heap_used;
	if (size > rt.limits.heap || used > UINT64_C(1) << rt.limits.slab_bits ||
	    rt.now.heap_total + grown > rt.limits.heap)
		rt_error(LP_ERROR_OUT_OF_MEMORY, pc, NULL,
			 "the program asks for %zu more bytes of memory, and has %llu of %llu",
			 size, (unsigned long long)rt.now.heap_total,
			 (unsigned long long)rt.limits.heap);

	const uintptr_t p = rt_slab_start(t) + start;
	rt_paint(rt_slab_start(t) + self->heap_used, grown, 0x00);
	rt_paint(p, size, zeroed ? 0xff : 0x55);
	memset((void *)p, zeroed ? 0 : RT_GARBAGE, size);
	LP_HOLDS(p % align == 0 && rt_slab(p) == t);
	/* rt_block_near() relies on it. */
	LP_HOLDS(!self->blocks || rt_blocks(t)[self->blocks - 1].start + rt_blocks(t)[self->blocks - 1].size < start);
	rt_blocks(t)[self->blocks++] =
		(struct rt_block){ (uint32_t)start, (uint32_t)size, relative(pc), 0 };
	self->heap_used = (uint32_t)used;
	rt.now.heap_total += grown;
	self->changes++;
	if (!rt.setting_up) {
		struct lp_observer *observer = rt.program.observer;
		const struct lp_plain_range range = { t, true, p, size, pc };
		struct lp_plain_piece piece;
		observer->allocated(observer, t, p, size, pc);
		/* This thread has written the zeroes, and no other thread has used the memory before. */
		if (zeroed && size)
			observer->access(observer, &range, &piece, &rt.told);
	}
	return (void *)p;
}

/* Counts the blocks of the slab that begin at or before the offset; for debug builds. */
static uint32_t count_blocks_before(lp_tid t, uint64_t offset)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < rt.threads[t].blocks; i++)
		count += rt_blocks(t)[i].start <= offset;
	return count;
}
const struct rt_block *rt_block_near(uintptr_t p)
{
	const lp_tid t = rt_slab(p);
	const struct rt_block *blocks = rt_blocks(t);
	uint32_t low = 0, high = rt.threads[t].blocks;

	LP_HOLDS(t < RT_THREADS);
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (blocks[middle].start <= rt_slab_offset(p))
			low = middle + 1;
		else
			high = middle;
	}
	LP_AGREES(low == count_blocks_before(t, rt_slab_offset(p)));
	return low ? &blocks[low - 1] : NULL;
}

void rt_heap_free(void *block, uintptr_t pc)
{
	const uintptr_t p = (uintptr_t)block;

	if (!block)
		return;
	rt_need_stack(pc);
	if (rt.process.anonymous || (rt.process.arena && rt_arena_has(p))) {
		rt_arena_free(p, pc);
		return;
	}
	struct rt_block *b = rt_in_heap(p) ? (struct rt_block *)rt_block_near(p) : NULL;
	if (!b || rt_slab_start(rt_slab(p)) + b->start != p)
		rt_error(LP_ERROR_INVALID_FREE, pc, block,
			 "free of an address that malloc did not return");
	if (b->freed) {
		rt.complaint = (struct rt_complaint){ absolute(b->made), absolute(b->freed) };
		rt_error(LP_ERROR_DOUBLE_FREE, pc, block,
			 "the memory, allocated at \1, was already freed at \2");
	}
	if (!rt.setting_up) {
		struct lp_observer *observer = rt.program.observer;
		if (!observer->freed(observer, rt_id(rt.self), p, b->size, pc, &rt.told)) {
			*rt_new_error() = rt.told;
			rt_stop();
		}
	}
	LP_HOLDS(relative(pc)); /* 0 means that the block is in use */
	b->freed = relative(pc);
	rt_paint(p, b->size, 0xaa);
	rt.self->changes++;
	if (rt.options.reuse && !rt.setting_up)
		rt_reuse_give_back(p, pc);
}

size_t rt_heap_size(const void *block)
{
	rt_arena_refuse((uintptr_t)block);
	const struct rt_block *b = rt_in_heap((uintptr_t)block) ?
				   rt_block_near((uintptr_t)block) : NULL;

	return b ? b->size : 0;
}

bool rt_heap_owns(const void *p)
{
	return rt_in_heap((uintptr_t)p);
}

/* Reports the error of an access to the heap byte p. */
static _Noreturn void bad_byte(uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	const struct rt_block *b = rt_block_near(p);
	const uint64_t offset = rt_slab_offset(p);
	const char *access = write ? "write" : "read";

	if (rt.process.arena && rt_arena_has(p))
		rt_arena_complain(p, size, write, pc);
	if (!b || offset >= rt.threads[rt_slab(p)].heap_used)
		rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, (void *)p,
			 "%s of %zu bytes of the heap that belong to no object", access, size);
	rt.complaint = (struct rt_complaint){ absolute(b->made), absolute(b->freed) };
	if (offset >= b->start + b->size)
		rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, (void *)p,
			 "%s of %zu bytes, %llu bytes behind a block of %u bytes allocated at \1",
			 access, size, (unsigned long long)(offset - b->start - b->size),
			 b->size);
	if (!b->freed)
		rt_error(LP_ERROR_UNINITIALISED, pc, (void *)p,
			 "%s of memory that was never written, allocated at \1", access);
	rt_error(LP_ERROR_USE_AFTER_FREE, pc, (void *)p,
		 "%s of %zu bytes of a block allocated at \1 and freed at \2", access, size);
}

/* Replaces the bytes 1 and 2 in the text by the places where the block was allocated and freed.  The
 * explorer calls this, because finding the names needs far more stack than threads have. */
void rt_complete_error(struct lp_program_error *error)
{
	char text[sizeof error->text];
	size_t length = 0;

	for (const char *c = error->text; *c && length < sizeof text - 1; c++) {
		if (*c == 1 || *c == 2) {
			lp_symbols_place(rt.loaded.symbols, *c == 1 ? rt.complaint.made :
							       rt.complaint.freed,
					 text + length, sizeof text - length);
			length += strlen(text + length);
		} else {
			text[length++] = *c;
		}
	}
	text[length] = '\0';
	memcpy(error->text, text, length + 1);
	rt.complaint = (struct rt_complaint){ 0, 0 };
}

void rt_check_live(uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	for (size_t done = 0, n; done < size; done += n) {
		n = size - done < 16 ? size - done : 16;
		if (rt_in_heap(p + done) && rt_heap_may(p + done, n, true))
			continue;
		for (size_t i = done; i < done + n; i++)
			if (!rt_in_heap(p + i) || !rt_heap_may(p + i, 1, true))
				bad_byte(p + i, size, write, pc);
	}
}

/* The bytes are allocated and, as far as hooks know, not written.  Do they still have their first
 * contents?  If not, code without hooks has written them. */
bool rt_heap_untouched(uintptr_t p, size_t size)
{
	bool any = false;

	for (size_t i = 0; i < size; i++)
		if (rt_shadow_of(p + i) == 1) {
			if (*(const uint8_t *)(p + i) != RT_GARBAGE)
				return false;
			any = true;
		}
	return any;
}

void rt_check_heap(uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	rt_check_live(p, size, write, pc);
	for (size_t done = 0; !write && done < size; done += 16) {
		const size_t n = size - done < 16 ? size - done : 16;
		if (rt_heap_may(p + done, n, false))
			continue;
		if (!rt_heap_untouched(p + done, n))
			rt_heap_wrote(p + done, n);
		else if (!lp_native_passes_over(LP_ERROR_UNINITIALISED, pc))
			bad_byte(p + done, size, false, pc);
	}
}

/* The shadow bits of up to 16 bytes.  Bytes whose state is not known count as written. */
static uint64_t written_bits(uintptr_t p, size_t size)
{
	const uint64_t all = rt_shadow_mask(0, size);
	uint64_t bits;

	if (!rt_in_heap(p) && !rt_is_known_stack(p, size))
		return all;
	memcpy(&bits, rt_shadow(p), sizeof bits);
	bits = bits >> (p & 3) * 2 & all;
	return bits | (~(bits | bits >> 1) & RT_LOW_BITS & all) * 3;
}

/* A copied byte is initialised if the original is.  Bytes of a stack whose state is not known stay
 * unknown. */
void rt_copy_shadow(uintptr_t to, uintptr_t from, size_t size)
{
	if (!rt_in_heap(to) && !rt_is_known_stack(to, size))
		return;
	for (size_t done = 0, n; done < size; done += n) {
		n = size - done < 16 ? size - done : 16;
		const size_t at = to < from ? done : size - done - n;
		const uint64_t mask = rt_shadow_mask(to + at, n);
		const uint64_t copied = written_bits(from + at, n) << ((to + at) & 3) * 2;
		uint64_t bits;
		memcpy(&bits, rt_shadow(to + at), sizeof bits);
		const uint64_t object = (bits | bits >> 1) & RT_LOW_BITS & mask;
		bits = (bits & ~(object * 3)) | (copied & object * 3);
		memcpy(rt_shadow(to + at), &bits, sizeof bits);
	}
}

bool rt_heap_live(const void *block)
{
	rt_arena_refuse((uintptr_t)block);
	const uintptr_t p = (uintptr_t)block;
	const struct rt_block *b = rt_in_heap(p) ? rt_block_near(p) : NULL;

	return b && rt_slab_start(rt_slab(p)) + b->start == p && !b->freed;
}

/* The variable that contains p, or the nearest one before it; or NULL. */
static const struct lp_variable *variable_near(uintptr_t p)
{
	const struct lp_variable *found = NULL;

	for (uint32_t i = 0; i < rt.module->variable_count; i++) {
		const struct lp_variable *v = &rt.module->variables[i];
		if ((uintptr_t)v->at <= p && (!found || v->at > found->at))
			found = v;
	}
	return found;
}

/* Reports that byte p of the program's image is in no variable. */
static _Noreturn void no_variable(uintptr_t p, size_t size, bool write, uintptr_t pc, const char *what)
{
	const struct lp_variable *v = variable_near(p);
	const uint64_t behind = v ? p - (uintptr_t)v->at - v->size : 0;

	if (v && behind < 4096)
		rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, (void *)p, "%s of %zu bytes, %llu bytes behind %s of %llu bytes",
			 write ? "write" : "read", size, (unsigned long long)behind, what,
			 (unsigned long long)v->size);
	rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, (void *)p, "%s of %zu bytes where no variable is",
		 write ? "write" : "read", size);
}

void rt_check_variable(uintptr_t p, size_t size, bool write, uintptr_t pc, const char *what)
{
	LP_HOLDS(lp_object_has(&rt.loaded.object, p));
	const uint8_t *const at = rt.loaded.variables + (p - rt.loaded.object.image.start);
	const size_t room = rt.loaded.object.image.end - p;
	const uint8_t *const gap = memchr(at, 0, size < room ? size : room);

	if (gap)
		no_variable(p + (size_t)(gap - at), size, write, pc, what);
}

/* Outside the heap and variables, only accesses that cannot be correct are reported here; an invalid address faults by itself. */
void rt_check_elsewhere(uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	if (lp_object_has(&rt.loaded.object, p))
		rt_check_variable(p, size, write, pc, "a variable");
	if (!rt_is_nowhere(p))
		return;
	if (p >= 4096)
		rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, (void *)p,
			 "%s of %zu bytes, %zu bytes before the first block of the heap",
			 write ? "write" : "read", size, (size_t)(RT_HEAP - p));
	rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, (void *)p,
		 p ? "%s of %zu bytes through a NULL pointer plus %zu" :
		     "%s of %zu bytes through a NULL pointer",
		 write ? "write" : "read", size, (size_t)p);
}
