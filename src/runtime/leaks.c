/* leaks.c -- memory that is allocated, and that nothing points to any more.
 *
 * Conservative, as garbage collectors are: any aligned word that looks like an
 * address in a block is taken for one.  Roots are the program's globals, the
 * stacks and thread-locals of threads that are still there, and our own state.
 */
#include "base/alloc.h"
#include "runtime/heap.h"

struct search {
	uint8_t *reached[RT_THREADS]; /* one byte a block */
	struct {
		LP_VEC(uintptr_t);
	} work;                       /* blocks to be looked through */
};

static void look_at(struct search *search, uintptr_t p)
{
	const struct rt_block *b = rt_in_heap(p) ? rt_block_near(p) : NULL;

	if (!b || b->freed || rt_slab_offset(p) > b->start + b->size)
		return;
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
	for (unsigned i = 0; i < rt.object.data_count; i++)
		look_through(search, rt.object.data[i].start, rt.object.data[i].end);
	look_through(search, RT_STATE, RT_STATE + rt.now.state_used);
	for (lp_tid t = 0; t < rt.now.threads; t++) {
		const struct rt_thread *thread = &rt.threads[t];
		const uintptr_t start = thread == rt.self ? rt_stack_top(t) : (uintptr_t)thread->sp;
		if (thread->state == RT_WAITING || thread == rt.self)
			look_through(search, start, rt_stack_end(t));
		else if (thread->state == RT_NEW)
			look_at(search, (uintptr_t)thread->arg);
	}
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

	for (lp_tid t = 0; t < rt.now.threads; t++)
		search.reached[t] = lp_alloc_zero(rt.threads[t].blocks + 1, 1);
	look_from_roots(&search);
	for (lp_tid t = 0; t < rt.now.threads; t++) {
		for (uint32_t i = 0; i < rt.threads[t].blocks; i++) {
			const struct rt_block *b = &rt_blocks(t)[i];
			if (b->freed || search.reached[t][i])
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
	rt.complaint = (struct rt_complaint){ rt.object.base + lost->made, 0 };
	rt_error("leak", rt.object.base + lost->made, (void *)at,
		 "%u block%s of memory lost, the first of %u bytes, allocated at \1", count,
		 count > 1 ? "s" : "", lost->size);
}
