/* leaks.c -- finds allocated memory to which no pointer leads any more.
 *
 * The search is conservative, like that of a garbage collector: every aligned word that looks like
 * an address in a block counts as a pointer.  Roots are the program's globals, the main thread's
 * thread-locals, and the state of shims.  The stack is not a root, because main() has returned, or
 * has called exit() and does not use the stack any more.
 *
 * Leaks are searched for at the end of main(), if every thread has been joined by then: otherwise the result
 * would depend on how far the others have come.  Memory has the values stored last, and for an atomic location
 * this need not be the last write in co.  So before the search, atomic locations that have held addresses are
 * read again, as the program would read them; after all the joins there is only one value to read.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "runtime/memory/heap.h"
#include "runtime/ignored.h"

enum { MOST_POINTERS = 1000 };

/* The atomic locations to which addresses of blocks have been stored, in ascending order. */
struct pointers {
	uint32_t count;
	uintptr_t at[MOST_POINTERS];
};

static const char pointers_owner; /* only its address is used */

void rt_note_pointer(uintptr_t loc)
{
	struct pointers *p = rt_state(&pointers_owner, sizeof *p);
	uint32_t i = p->count;

	while (i && p->at[i - 1] > loc)
		i--;
	if (i && p->at[i - 1] == loc)
		return;
	if (p->count == MOST_POINTERS)
		rt_error(LP_ERROR_UNSUPPORTED, 0, (void *)loc,
			 "more than %d atomic pointers, with --leaks", MOST_POINTERS);
	LP_HOLDS((!i || p->at[i - 1] < loc) && (i == p->count || loc < p->at[i]));
	memmove(&p->at[i + 1], &p->at[i], (p->count - i) * sizeof *p->at);
	p->at[i] = loc;
	p->count++;
}

static void read_pointers_again(void)
{
	const struct pointers *p = rt_state_if_any(&pointers_owner);

	for (uint32_t i = 0; p && i < p->count; i++) {
		const uintptr_t loc = p->at[i];
		if (rt_in_heap(loc) && !rt_heap_may(loc, sizeof(void *), false))
			continue;
		if (!rt_in_heap(loc) && !lp_object_has(&rt.loaded.object, loc))
			continue; /* a local variable, which does not exist any more */
		const struct lp_response answer =
			rt_op(&(struct lp_op){ .kind = LP_OP_LOAD, .size = sizeof(void *),
					       .order = LP_RLX, .loc = loc, .internal = true,
					       .name = "looking for leaks" });
		lp_value_write((void *)loc, answer.value, sizeof(void *));
	}
}

static bool all_joined(void)
{
	for (lp_tid t = 1; t < rt.now.threads; t++)
		if (rt.threads[t].state != RT_ABSENT && !rt.threads[t].joined)
			return false;
	return true;
}

struct search {
	uint8_t *reached[RT_THREADS]; /* one byte for each block */
	struct {
		LP_VEC(uintptr_t);
	} work;                       /* blocks whose contents must still be searched */
};

static void look_at(struct search *search, uintptr_t p)
{
	const struct rt_block *b = rt_in_heap(p) ? rt_block_near(p) : NULL;

	if (!b || b->freed || rt_slab_offset(p) > b->start + b->size)
		return;
	LP_HOLDS(rt_slab(p) < rt.now.threads);
	uint8_t *reached = &search->reached[rt_slab(p)][b - rt_blocks(rt_slab(p))];
	if (!*reached) {
		*reached = 1;
		LP_PUSH(&search->work, rt_slab_start(rt_slab(p)) + b->start);
	}
}

static void look_through(struct search *search, uintptr_t start, uintptr_t end)
{
	for (start = (start + 7) & ~(uintptr_t)7; start + 8 <= end; start += 8)
		look_at(search, *(const uintptr_t *)start);
}

static void look_from_roots(struct search *search)
{
	for (unsigned i = 0; i < rt.loaded.object.data_count; i++)
		look_through(search, rt.loaded.object.data[i].start, rt.loaded.object.data[i].end);
	look_through(search, RT_STATE, RT_STATE + rt.now.state_used);
	look_through(search, rt_stack_top(rt_id(rt.self)), rt_stack_end(rt_id(rt.self)));
	while (search->work.count) {
		const uintptr_t block = LP_LAST(&search->work);
		search->work.count--;
		look_through(search, block, block + rt_block_near(block)->size);
	}
}

void rt_check_leaks(void)
{
	struct search search = { 0 };
	const struct rt_block *lost = NULL;
	uintptr_t at = 0;
	unsigned count = 0;

	if (!all_joined())
		return;
	read_pointers_again();
	for (lp_tid t = 0; t < rt.now.threads; t++)
		search.reached[t] = lp_alloc_zero(rt.threads[t].blocks + 1, 1);
	look_from_roots(&search);
	for (lp_tid t = 0; t < rt.now.threads; t++) {
		for (uint32_t i = 0; i < rt.threads[t].blocks; i++) {
			const struct rt_block *b = &rt_blocks(t)[i];
			if (b->freed || search.reached[t][i] ||
			    lp_native_passes_over(LP_ERROR_LEAK, rt.loaded.object.base + b->made))
				continue;
			if (!lost) {
				lost = b;
				at = rt_slab_start(t) + b->start;
			}
			count++;
		}
		lp_free(search.reached[t]);
	}
	lp_free(search.work.at);
	if (!lost)
		return;
	rt.complaint = (struct rt_complaint){ rt.loaded.object.base + lost->made, 0 };
	rt_error(LP_ERROR_LEAK, rt.loaded.object.base + lost->made, (void *)at,
		 "%u block%s of memory lost, the first of %u bytes, allocated at \1", count,
		 count > 1 ? "s" : "", lost->size);
}
