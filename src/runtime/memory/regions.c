/* regions.c -- maps the regions of machine.h, and allocates execution state that belongs to shims
 * and not to objects of the program. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "runtime/memory/arena.h"
#include "runtime/memory/heap.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* The place of each owner's state. The place never changes, because it can be a location of events,
 * whose name must depend neither on the interleaving nor on the process (agreed_names.c). */
static struct {
	LP_VEC(struct rt_place);
} places;
static struct lp_hash_index by_owner;
static uint32_t known_places; /* how many of the names in agreed_names.c are known here */

static size_t stacks_size(void)
{
	return RT_THREADS * rt.layout.stack_stride;
}

static size_t heap_size(void)
{
	return (size_t)RT_THREADS << rt.limits.slab_bits;
}

static bool reserve(uintptr_t at, size_t size, struct lp_error *error)
{
	void *got = mmap((void *)at, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (got == (void *)at)
		return true;
	if (got != MAP_FAILED)
		munmap(got, size);
	return lp_fail(error, "cannot reserve %zu MB of address space at 0x%llx: %s", size >> 20,
		       (unsigned long long)at, got == MAP_FAILED ? strerror(errno) : "in use");
}

/* The stacks of threads with lower ids have guard pages at their lower ends. */
static lp_tid guarded;

void rt_guard_stack(lp_tid t)
{
	for (; guarded <= t; guarded++)
		mprotect((void *)(RT_STACKS + guarded * rt.layout.stack_stride), RT_GUARD, PROT_NONE);
}

bool rt_regions_open(struct lp_error *error)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t align = rt.module->locals_align > 64 ? rt.module->locals_align : 64;

	rt.layout.tls_room = (rt.module->locals_size + align - 1) & ~(align - 1);
	rt.layout.stack_stride = rt.limits.stack + RT_STACK_RESERVE + rt.layout.tls_room + RT_GUARD;
	rt.layout.stack_stride = (rt.layout.stack_stride + page - 1) & ~(page - 1);
	rt.stack_room = rt.layout.stack_stride - rt.layout.tls_room;
	if (!reserve(RT_STACKS, stacks_size(), error) ||
	    !reserve(RT_HEAP, heap_size(), error) ||
	    !reserve(RT_SHADOW, stacks_size() / 4 + RT_GUARD, error) ||
	    !reserve((uintptr_t)rt_shadow(RT_HEAP), heap_size() / 4 + RT_GUARD, error) ||
	    !reserve(RT_BLOCKS, heap_size() / 2, error) ||
	    !reserve(RT_STATE, RT_STATE_SIZE, error))
		return false;
	guarded = 0;
	rt.program.stacks = RT_STACKS;
	rt.program.stack_stride = rt.layout.stack_stride;
	rt.program.stack_count = RT_THREADS;
	return true;
}

void rt_regions_close(void)
{
	munmap((void *)RT_STACKS, stacks_size());
	munmap((void *)RT_HEAP, heap_size());
	munmap((void *)RT_SHADOW, stacks_size() / 4 + RT_GUARD);
	munmap(rt_shadow(RT_HEAP), heap_size() / 4 + RT_GUARD);
	munmap((void *)RT_BLOCKS, heap_size() / 2);
	munmap((void *)RT_STATE, RT_STATE_SIZE);
	lp_free(places.at);
	memset(&places, 0, sizeof places);
	lp_hash_close(&by_owner);
	known_places = 0;
}

/* NULL if the owner has none. */
static struct rt_place *find_place(const void *owner)
{
	struct lp_hash_probe probe = lp_hash_probe(&by_owner, lp_mix((uintptr_t)owner));
	uint32_t i;

	while ((i = lp_hash_next(&by_owner, &probe)) != LP_HASH_NONE)
		if (places.at[i].owner == owner)
			return &places.at[i];
	return NULL;
}

/* Does the place overlap with no other one? */
static bool is_apart(const struct rt_place *place)
{
	for (uint32_t i = 0; i < places.count; i++) {
		const struct rt_place *other = &places.at[i];
		if (other != place && place->offset < other->offset + other->size && other->offset < place->offset + place->size)
			return false;
	}
	return true;
}

static void learn_place(const struct rt_place *place)
{
	struct rt_place *found = find_place(place->owner);

	LP_HOLDS(!found || found->size <= place->size); /* its contents move with it */
	if (found) {
		*found = *place;
	} else {
		lp_hash_add(&by_owner, lp_mix((uintptr_t)place->owner), places.count);
		LP_PUSH(&places, *place);
		found = &LP_LAST(&places);
	}
	LP_VALID(is_apart(found));
}

void *rt_own_state(const void *owner, size_t size)
{
	if (rt.self && rt.process.anonymous && rt_arena_has((uintptr_t)owner))
		rt_error(LP_ERROR_UNSUPPORTED, (uintptr_t)rt_site(), owner,
			 "a lock in memory that was allocated: states cannot be compared");
	const struct rt_place *place = find_place(owner);

	if (!place || place->size < size) {
		rt_new_place(owner, size, &known_places, learn_place);
		place = find_place(owner);
	}
	LP_HOLDS(place && place->size >= size);
	const uint32_t end = place->offset + (uint32_t)((size + 15) & ~(size_t)15);
	LP_HOLDS(end <= RT_STATE_SIZE);
	if (end > rt.now.state_used)
		rt.now.state_used = end;
	return (void *)(RT_STATE + place->offset);
}

void *rt_state(const void *owner, size_t size)
{
	if (rt.self && rt.process.anonymous)
		rt_error(LP_ERROR_UNSUPPORTED, (uintptr_t)rt_site(), owner,
			 "a synchronisation object whose state is not in the program's memory: "
			 "states cannot be compared");
	return rt_own_state(owner, size);
}

const void *rt_state_owner(uintptr_t loc)
{
	const uint64_t offset = loc - RT_STATE;

	for (uint32_t i = 0; i < places.count; i++)
		if (offset - places.at[i].offset < places.at[i].size)
			return places.at[i].owner;
	return NULL;
}

void *rt_state_if_any(const void *owner)
{
	const struct rt_place *place = find_place(owner);

	return place && place->offset + place->size <= rt.now.state_used ?
	       (void *)(RT_STATE + place->offset) : NULL;
}
