/* save.c -- saved states: copies of what is in use, one behind the other.
 *
 *     struct rt_execution                 lengths of what follows
 *     hot chunks of the globals           as many as there were
 *     for each thread that exists: its record; then, if it has any,
 *         its stack from sp to the end, thread-locals included
 *         what the shadow knows of its stack
 *         its slab of the heap, the shadow of it, its table of blocks
 *     state, outcome, output
 *
 * Chunks that became hot after a save had their initial contents then (object.h).
 * Every piece is copied in units of 16 bytes: regions have room for it, and short
 * copies need no call.
 */
#include <string.h>

#include "runtime/heap.h"

typedef uint64_t unit __attribute__((vector_size(16), aligned(1), may_alias));

static inline size_t round_up(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

static inline void copy(uint8_t *to, const uint8_t *from, size_t size)
{
	if (__builtin_expect(size > 512, 0)) {
		memcpy(to, from, size);
		return;
	}
	for (size_t i = 0; i < size; i += 16)
		*(unit *)(to + i) = *(const unit *)(from + i);
}

/* Header of a saved state. */
struct saved {
	struct rt_execution now;
	uint32_t hot;
};

static size_t header_size(void)
{
	return round_up(sizeof(struct saved));
}

/* The end of a stack is aligned, so units are counted from there. */
static inline uint8_t *stack_start(const struct rt_thread *thread)
{
	return (uint8_t *)((uintptr_t)thread->sp & ~(uintptr_t)15);
}

static inline size_t stack_size(const struct rt_thread *thread)
{
	return thread->state == RT_WAITING ?
	       rt_stack_end(rt_id(thread)) - (uintptr_t)stack_start(thread) : 0;
}

/* In units of 16 bytes, like all the rest: `known` is rounded. */
static inline size_t known_size(const struct rt_thread *thread)
{
	return thread->state == RT_WAITING ? (rt_stack_top(rt_id(thread)) - thread->known) / 4 : 0;
}

static size_t state_size(void)
{
	size_t size = header_size() + round_up(rt.object.hot_size) +
		      16 * rt.object.hot.count + rt.now.state_used +
		      round_up(rt.now.outcome_size) + round_up(rt.now.output_size);

	for (lp_tid t = 0; t < rt.now.threads; t++) {
		const struct rt_thread *thread = &rt.threads[t];
		size += round_up(sizeof *thread) + round_up(stack_size(thread)) +
			known_size(thread);
		if (thread->heap_used)
			size += thread->heap_used + round_up(thread->heap_used / 4) +
				thread->blocks * sizeof(struct rt_block);
	}
	return size;
}

static inline uint8_t *put(uint8_t *to, const void *from, size_t size)
{
	copy(to, from, round_up(size));
	return to + round_up(size);
}

static inline const uint8_t *get(void *to, const uint8_t *from, size_t size)
{
	copy(to, from, round_up(size));
	return from + round_up(size);
}

/* The same for memory that must not be written beyond its end. */
static inline const uint8_t *get_exactly(void *to, const uint8_t *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
	return from + round_up(size);
}

static inline uint8_t *put_exactly(uint8_t *to, const void *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
	return to + round_up(size);
}

static uint8_t *put_thread(uint8_t *to, const struct rt_thread *thread)
{
	const lp_tid t = rt_id(thread);

	to = put_exactly(to, thread, sizeof *thread);
	if (thread->state == RT_WAITING) {
		to = put(to, stack_start(thread), stack_size(thread));
		to = put(to, rt_shadow(thread->known), known_size(thread));
	}
	if (thread->heap_used) {
		to = put(to, (void *)rt_slab_start(t), thread->heap_used);
		to = put(to, rt_shadow(rt_slab_start(t)), thread->heap_used / 4);
		to = put(to, rt_blocks(t), thread->blocks * sizeof(struct rt_block));
	}
	return to;
}

static const uint8_t *get_thread(struct rt_thread *thread, const uint8_t *from)
{
	const lp_tid t = rt_id(thread);

	from = get_exactly(thread, from, sizeof *thread);
	if (thread->state == RT_WAITING) {
		from = get(stack_start(thread), from, stack_size(thread));
		from = get(rt_shadow(thread->known), from, known_size(thread));
	}
	if (thread->heap_used) {
		from = get((void *)rt_slab_start(t), from, thread->heap_used);
		from = get(rt_shadow(rt_slab_start(t)), from, thread->heap_used / 4);
		from = get(rt_blocks(t), from, thread->blocks * sizeof(struct rt_block));
	}
	return from;
}

static uint32_t write_state(void)
{
	const uint32_t begin = rt.saved.count;
	const struct saved header = { rt.now, rt.object.hot.count };

	LP_RESERVE(&rt.saved, state_size());
	uint8_t *to = rt.saved.at + begin;
	to = put_exactly(to, &header, sizeof header);
	for (uint32_t i = 0; i < header.hot; i++)
		to = put_exactly(to, rt.object.hot.at[i].at, rt.object.hot.at[i].size);
	for (lp_tid t = 0; t < rt.now.threads; t++)
		to = put_thread(to, &rt.threads[t]);
	to = put(to, (void *)RT_STATE, rt.now.state_used);
	to = put_exactly(to, rt.outcome, rt.now.outcome_size);
	to = put_exactly(to, rt.output, rt.now.output_size);
	rt.saved.count = (uint32_t)(to - rt.saved.at);
	return begin;
}

static void read_state(uint32_t begin)
{
	const uint8_t *from = rt.saved.at + begin;
	const struct rt_execution before = rt.now;
	struct saved header;

	from = get_exactly(&header, from, sizeof header);
	rt.now = header.now;
	for (uint32_t i = 0; i < rt.object.hot.count; i++) {
		const struct lp_chunk *chunk = &rt.object.hot.at[i];
		if (i < header.hot)
			from = get_exactly(chunk->at, from, chunk->size);
		else
			memcpy(chunk->at, chunk->initial, chunk->size);
	}
	for (lp_tid t = 0; t < rt.now.threads; t++)
		from = get_thread(&rt.threads[t], from);
	for (lp_tid t = rt.now.threads; t < before.threads; t++)
		memset(&rt.threads[t], 0, sizeof rt.threads[t]);
	from = get((void *)RT_STATE, from, rt.now.state_used);
	if (before.state_used > rt.now.state_used)
		memset((void *)(RT_STATE + rt.now.state_used), 0,
		       before.state_used - rt.now.state_used);
	from = get_exactly(rt.outcome, from, rt.now.outcome_size);
	get_exactly(rt.output, from, rt.now.output_size);
}

uint32_t rt_save(struct lp_program *program)
{
	(void)program;
	LP_PUSH(&rt.marks, write_state());
	return rt.marks.count - 1;
}

void rt_restore(struct lp_program *program, uint32_t mark)
{
	(void)program;
	read_state(rt.marks.at[mark]);
}

void rt_forget(struct lp_program *program, uint32_t mark)
{
	(void)program;
	rt.saved.count = rt.marks.at[mark];
	rt.marks.count = mark;
}

size_t rt_save_cost(struct lp_program *program)
{
	(void)program;
	return state_size();
}

/* The state after the constructors is the lowest of the stack, and stays. */
void rt_save_beginning(void)
{
	rt.saved.count = 0;
	rt.marks.count = 0;
	write_state();
	rt.beginning = rt.saved.count;
}

void rt_restore_beginning(void)
{
	read_state(0);
}
