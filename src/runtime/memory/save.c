/* save.c -- saved states: copies of the memory in use, one after the other.
 *
 *     images of the threads that have changed since they were saved last
 *     struct saved                        lengths of the following parts
 *     hot chunks of the globals           as many as there were
 *     for each thread: where its image is, here or in a state that was saved earlier
 *     for each thread that has a slab of the heap: the slab, its shadow, its table of blocks
 *     state, outcome, output
 *
 * The image of a thread is its record and, while it waits, its stack from sp to the end,
 * thread-locals included, and the shadow of its stack.  Only the thread itself changes these, while it
 * runs, with few exceptions: other threads write to local variables whose addresses they have, start the
 * thread, or join it.  If the thread has not changed since it was last saved or restored, rt.saves.image[t]
 * names its image, and neither saving nor restoring that image copies anything.  If the thread may have
 * changed, rt.saves.image[t] is 0 (rt_touch()).
 *
 * A thread always counts as changed while other threads use a part of its stack (`lent`).  Every
 * thread counts as changed if code without hooks may have written anywhere (rt.seen.unhooked), and if
 * threads are processes, which native_process.c itself puts in place.
 *
 * Only the saved state that contains an image, and later states, refer to the image; later states are
 * forgotten first.  A chunk that became hot after a save had its initial contents at the time of the save
 * (object.h).  Every piece is copied in units of 16 bytes: regions have room for this, and short copies
 * need no call.
 */
#include <string.h>

#include "base/error.h"
#include "runtime/memory/heap.h"

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

/* The size in units of 16 bytes, as everywhere here: `known` is rounded. */
static inline size_t known_size(const struct rt_thread *thread)
{
	return thread->state == RT_WAITING ? (rt_stack_top(rt_id(thread)) - thread->known) / 4 : 0;
}

static inline size_t image_size(const struct rt_thread *thread)
{
	return round_up(sizeof *thread) + stack_size(thread) + known_size(thread);
}

/* May other threads write to its stack without a call of rt_touch()? */
static inline bool is_open(const struct rt_thread *thread)
{
	return thread->lent_end || rt.seen.unhooked || rt.process.anonymous;
}

static inline bool is_saved(const struct rt_thread *thread)
{
	return rt.saves.image[rt_id(thread)] && !is_open(thread);
}

static size_t state_size(void)
{
	size_t size = header_size() + round_up(rt.loaded.object.hot_size) +
		      16 * rt.loaded.object.hot.count + rt.now.state_used +
		      round_up(rt.now.threads * sizeof *rt.saves.image) +
		      round_up(rt.now.outcome_size) + round_up(rt.now.output_size);

	for (lp_tid t = 0; t < rt.now.threads; t++) {
		const struct rt_thread *thread = &rt.threads[t];
		if (!is_saved(thread))
			size += image_size(thread);
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

static uint8_t *put_image(uint8_t *to, const struct rt_thread *thread)
{
	LP_HOLDS((uintptr_t)(to - rt.saves.bytes.at) % 16 == 0);
	to = put_exactly(to, thread, sizeof *thread);
	if (thread->state == RT_WAITING) {
		to = put(to, stack_start(thread), stack_size(thread));
		to = put(to, rt_shadow(thread->known), known_size(thread));
	}
	return to;
}

static void get_image(struct rt_thread *thread, const uint8_t *from)
{
	from = get_exactly(thread, from, sizeof *thread);
	if (thread->state == RT_WAITING) {
		LP_HOLDS(rt_in_stacks((uintptr_t)thread->sp) && stack_size(thread) <= rt.layout.stack_stride);
		from = get(stack_start(thread), from, stack_size(thread));
		get(rt_shadow(thread->known), from, known_size(thread));
	}
}

static inline const uint8_t *image_at(uint32_t image)
{
	LP_HOLDS(image && image <= rt.saves.bytes.room);
	return rt.saves.bytes.at + image - 1;
}

/* Is the image equal to memory? */
static bool is_up_to_date(const struct rt_thread *thread, uint32_t image)
{
	const uint8_t *at = image_at(image);

	if (memcmp(at, thread, sizeof *thread))
		return false;
	at += round_up(sizeof *thread);
	return thread->state != RT_WAITING ||
	       (!memcmp(at, stack_start(thread), stack_size(thread)) &&
		!memcmp(at + stack_size(thread), rt_shadow(thread->known), known_size(thread)));
}

/* Makes sure that each thread has an image: writes the images that do not exist yet. */
static uint8_t *put_images(uint8_t *to)
{
	for (lp_tid t = 0; t < rt.now.threads; t++) {
		const struct rt_thread *thread = &rt.threads[t];

		if (is_saved(thread)) {
			LP_VALID(is_up_to_date(thread, rt.saves.image[t])); /* otherwise the thread has changed without
			                                                     * rt_touch() */
			continue;
		}
		rt.saves.image[t] = 1 + (uint32_t)(to - rt.saves.bytes.at);
		to = put_image(to, thread);
	}
	return to;
}

static void get_images(const uint32_t *image)
{
	for (lp_tid t = 0; t < rt.now.threads; t++) {
		struct rt_thread *thread = &rt.threads[t];

		if (rt.saves.image[t] == image[t] && !is_open(thread)) {
			LP_VALID(is_up_to_date(thread, image[t]));
			continue;
		}
		get_image(thread, image_at(image[t]));
		rt.saves.image[t] = is_open(thread) ? 0 : image[t];
	}
}

static uint8_t *put_slab(uint8_t *to, lp_tid t)
{
	const struct rt_thread *thread = &rt.threads[t];

	LP_HOLDS(thread->heap_used <= UINT64_C(1) << rt.limits.slab_bits);
	if (!thread->heap_used)
		return to;
	to = put(to, (void *)rt_slab_start(t), thread->heap_used);
	to = put(to, rt_shadow(rt_slab_start(t)), thread->heap_used / 4);
	return put(to, rt_blocks(t), thread->blocks * sizeof(struct rt_block));
}

static const uint8_t *get_slab(lp_tid t, const uint8_t *from)
{
	const struct rt_thread *thread = &rt.threads[t];

	if (!thread->heap_used)
		return from;
	from = get((void *)rt_slab_start(t), from, thread->heap_used);
	from = get(rt_shadow(rt_slab_start(t)), from, thread->heap_used / 4);
	return get(rt_blocks(t), from, thread->blocks * sizeof(struct rt_block));
}

static struct rt_mark write_state(void)
{
	const struct saved header = { rt.now, rt.loaded.object.hot.count };
	struct rt_mark mark = { .begin = rt.saves.bytes.count };

	LP_RESERVE(&rt.saves.bytes, state_size());
	uint8_t *to = put_images(rt.saves.bytes.at + mark.begin);
	mark.state = (uint32_t)(to - rt.saves.bytes.at);
	to = put_exactly(to, &header, sizeof header);
	for (uint32_t i = 0; i < header.hot; i++)
		to = put_exactly(to, rt.loaded.object.hot.at[i].at, rt.loaded.object.hot.at[i].size);
	to = put_exactly(to, rt.saves.image, rt.now.threads * sizeof *rt.saves.image);
	for (lp_tid t = 0; t < rt.now.threads; t++)
		to = put_slab(to, t);
	to = put(to, (void *)RT_STATE, rt.now.state_used);
	to = put_exactly(to, rt.said.outcome, rt.now.outcome_size);
	to = put_exactly(to, rt.said.output, rt.now.output_size);
	LP_HOLDS((size_t)(to - rt.saves.bytes.at) <= rt.saves.bytes.room);
	rt.saves.bytes.count = (uint32_t)(to - rt.saves.bytes.at);
	return mark;
}

static void read_state(struct rt_mark mark)
{
	const uint8_t *from = rt.saves.bytes.at + mark.state;
	const struct rt_execution before = rt.now;
	struct saved header;

	from = get_exactly(&header, from, sizeof header);
	LP_HOLDS(header.hot <= rt.loaded.object.hot.count && header.now.threads <= RT_THREADS);
	rt.now = header.now;
	for (uint32_t i = 0; i < rt.loaded.object.hot.count; i++) {
		const struct lp_chunk *chunk = &rt.loaded.object.hot.at[i];
		if (i < header.hot)
			from = get_exactly(chunk->at, from, chunk->size);
		else
			memcpy(chunk->at, chunk->initial, chunk->size);
	}
	get_images((const uint32_t *)from);
	from += round_up(rt.now.threads * sizeof *rt.saves.image);
	for (lp_tid t = rt.now.threads; t < before.threads; t++) {
		memset(&rt.threads[t], 0, sizeof rt.threads[t]);
		rt_touch(t);
	}
	for (lp_tid t = 0; t < rt.now.threads; t++)
		from = get_slab(t, from);
	from = get((void *)RT_STATE, from, rt.now.state_used);
	if (before.state_used > rt.now.state_used)
		memset((void *)(RT_STATE + rt.now.state_used), 0,
		       before.state_used - rt.now.state_used);
	from = get_exactly(rt.said.outcome, from, rt.now.outcome_size);
	get_exactly(rt.said.output, from, rt.now.output_size);
}

uint32_t rt_save(struct lp_program *program)
{
	(void)program;
	LP_PUSH(&rt.saves.marks, write_state());
	return rt.saves.marks.count - 1;
}

void rt_restore(struct lp_program *program, uint32_t mark)
{
	(void)program;
	LP_HOLDS(mark < rt.saves.marks.count);
	read_state(rt.saves.marks.at[mark]);
}

/* Forgets the images from `begin` on. */
static void cut(uint32_t begin)
{
	LP_HOLDS(begin <= rt.saves.bytes.count);
	rt.saves.bytes.count = begin;
	for (lp_tid t = 0; t < rt.now.threads; t++)
		if (rt.saves.image[t] > begin)
			rt_touch(t);
}

void rt_forget(struct lp_program *program, uint32_t mark)
{
	(void)program;
	LP_HOLDS(mark < rt.saves.marks.count && rt.saves.marks.at[mark].begin <= rt.saves.bytes.count);
	cut(rt.saves.marks.at[mark].begin);
	rt.saves.marks.count = mark;
}

size_t rt_save_cost(struct lp_program *program)
{
	(void)program;
	return state_size();
}

/* Saves the state after the constructors, which is the lowest one and stays. */
void rt_save_beginning(void)
{
	cut(0);
	rt.saves.marks.count = 0;
	rt.saves.beginning = write_state();
}

void rt_restore_beginning(void)
{
	read_state(rt.saves.beginning);
}
