/* plain.c -- plain accesses: checked, told to the observer, sometimes events.
 *
 * The hook runs before the access.  A load that must be an event is answered
 * first, and the value put where the load will find it.  A store that must be an
 * event is remembered, and becomes one at the thread's next hook, when its value
 * is in memory.  All that the thread does in between is its own, so for everybody
 * else the store happens at that later moment.
 */
#include "load/straight.h"
#include "runtime/heap.h"
#include "runtime/hooks.h"

/* Thread-locals are not part of it: their owner can always come back to them. */
static inline bool is_own_stack(uintptr_t loc)
{
	const uintptr_t start = RT_STACKS + rt_id(rt.self) * rt.stack_stride;

	return loc - start < rt.stack_stride - rt.tls_room;
}

/* With its thread-locals. */
static inline bool is_own(uintptr_t loc)
{
	return loc - (RT_STACKS + rt_id(rt.self) * rt.stack_stride) < rt.stack_stride;
}

static void defer(uintptr_t loc, uint8_t size, enum lp_order order, uintptr_t pc)
{
	if (rt.deferred_count == RT_DEFERRED)
		rt_error("unsupported", pc, (void *)loc,
			 "a plain write of more than %d shared locations at once", RT_DEFERRED);
	rt.deferred[rt.deferred_count++] = (struct rt_deferred){
		loc, pc, lp_value_read((void *)loc, size), size, (uint8_t)order };
}

/* A local variable whose function has returned since it was stored to: there its frame was,
 * ours may be now.  Whoever could have seen that store would have had to be waited for
 * before the return, by an operation, before which it would have been presented. */
static bool is_dead(uintptr_t loc)
{
	return is_own_stack(loc) && loc < rt.self->entry.rsp;
}

static uint32_t forget_dead_stores(void)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < rt.deferred_count; i++)
		if (!is_dead(rt.deferred[i].loc))
			rt.deferred[kept++] = rt.deferred[i];
	return rt.deferred_count = kept;
}

/* All values are read before the first operation: others run during it.  The list
 * moves to our stack, which is saved with the thread.  Until its operation a store
 * has not happened, so memory gets back what it held: that may be the location's initial
 * value, for which the explorer has not yet asked. */
__attribute__((noinline)) void rt_flush_slowly(void)
{
	const uint32_t count = forget_dead_stores();
	struct rt_deferred list[count + 1];
	struct lp_value values[count + 1];

	for (uint32_t i = 0; i < count; i++) {
		list[i] = rt.deferred[i];
		values[i] = lp_value_read((void *)list[i].loc, list[i].size);
	}
	for (uint32_t i = count; i-- > 0;)
		lp_value_write((void *)list[i].loc, list[i].old, list[i].size);
	rt.deferred_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		rt_op(&(struct lp_op){ .kind = LP_OP_STORE, .size = list[i].size,
				       .order = list[i].order, .loc = list[i].loc,
				       .pc = list[i].pc, .operand = values[i] });
		lp_value_write((void *)list[i].loc, values[i], list[i].size);
		rt_wrote(list[i].loc, list[i].size);
		rt_stored(list[i].loc, list[i].size, values[i]);
	}
}

static struct lp_value present_load(uintptr_t loc, uint8_t size, enum lp_order order, bool simple,
				    uintptr_t pc)
{
	rt.self->op = (struct lp_op){ .kind = LP_OP_LOAD, .size = size, .order = (uint8_t)order,
				      .loc = loc, .pc = pc };
	rt.self->simple = simple;
	rt.self->argument = 0;
	rt_present();
	return rt.answer.value;
}

static _Noreturn void stop_as_told(void)
{
	*rt_new_error() = rt.told;
	rt_stop();
}

/* The observer has asked for an event.  While pieces of a range are presented
 * one by one other threads run, so values are put in place at the very end. */
static __attribute__((noinline)) void present_pieces(uintptr_t loc, size_t size, bool write,
						     uintptr_t pc, size_t piece, bool shared)
{
	struct lp_observer *observer = rt.program.observer;
	struct {
		uintptr_t loc;
		struct lp_value value;
		uint8_t size;
	} read[RT_DEFERRED];
	unsigned reads = 0;

	for (;;) {
		if (shared && write) {
			defer(loc, (uint8_t)piece, LP_PLAIN, pc);
		} else if (shared) {
			if (reads == RT_DEFERRED)
				rt_error("unsupported", pc, (void *)loc,
					 "a plain read of more than %d shared locations at once",
					 RT_DEFERRED);
			read[reads].loc = loc;
			read[reads].size = (uint8_t)piece;
			read[reads].value = present_load(loc, (uint8_t)piece, LP_PLAIN, false, pc);
			reads++;
		}
		loc += piece;
		size -= piece;
		if (!size)
			break;
		const enum lp_plain answer = observer->access(observer, rt_id(rt.self), loc, size,
							      write, pc, &piece, &shared,
							      &rt.told);
		if (answer == LP_PLAIN_OK || answer == LP_PLAIN_OWN) {
			if (write)
				rt_wrote(loc, size);
			break;
		}
		if (answer == LP_PLAIN_RACE)
			stop_as_told();
	}
	for (unsigned i = 0; i < reads; i++)
		lp_value_write((void *)read[i].loc, read[i].value, read[i].size);
}

static _Noreturn __attribute__((noinline)) void endless(uintptr_t pc)
{
	rt_error("endless loop", pc, NULL,
		 "%llu plain accesses without an operation on shared memory",
		 (unsigned long long)rt.limits.steps);
}

/* Memory of the program that nobody can write: no event, and no place for its value. */
static bool is_constant(uintptr_t loc)
{
	if (!lp_object_has(&rt.object, loc))
		return false;
	for (unsigned i = 0; i < rt.object.data_count; i++)
		if (loc - rt.object.data[i].start < rt.object.data[i].end - rt.object.data[i].start)
			return false;
	return true;
}

/* Nearly always the access is one location; a small frame makes a small save. */
static __attribute__((noinline)) void plain_specially(enum lp_plain answer, uintptr_t loc,
						      size_t size, bool write, uintptr_t pc,
						      size_t piece, bool shared)
{
	const bool simple = rt.simple_hook;

	rt.simple_hook = false;
	if (answer == LP_PLAIN_RACE)
		stop_as_told();
	if (!write && is_constant(loc))
		return;
	if (piece < size || !shared)
		present_pieces(loc, size, write, pc, piece, shared);
	else if (write)
		defer(loc, (uint8_t)size, LP_PLAIN, pc);
	else
		lp_value_write((void *)loc, present_load(loc, (uint8_t)size, LP_PLAIN, simple, pc),
			       (unsigned)size);
}

/* A struct assignment is announced write first (gcc): two hooks, and then the
 * copying.  So when a read hook finds a store waiting, the store may be still to
 * come; whether the code between the two hooks has stored anything tells.  It then
 * keeps waiting, on our stack, while the read is presented. */
static bool store_is_done(const struct rt_deferred *store, uintptr_t pc)
{
	static struct {
		uintptr_t from, to;
		bool done;
	} cache[64];
	const unsigned slot = (unsigned)((store->pc ^ pc >> 3) % 64);

	if (cache[slot].from != store->pc || cache[slot].to != pc) {
		cache[slot].from = store->pc;
		cache[slot].to = pc;
		cache[slot].done = lp_straight_code_writes(store->pc, pc, is_own_stack(store->loc));
	}
	return cache[slot].done;
}

static __attribute__((noinline)) void read_with_stores_waiting(const void *p, size_t size,
							       uintptr_t pc)
{
	const uint32_t count = rt.deferred_count;
	struct rt_deferred waiting[count];

	if (store_is_done(&rt.deferred[count - 1], pc)) {
		rt_plain(p, size, false, pc);
		return;
	}
	memcpy(waiting, rt.deferred, sizeof waiting);
	rt.deferred_count = 0;
	rt_plain(p, size, false, pc);
	memcpy(rt.deferred, waiting, sizeof waiting);
	rt.deferred_count = count;
}

void rt_read_hook(const void *p, size_t size, uintptr_t pc)
{
	rt_quiet_entries++;
	if (__builtin_expect(rt.deferred_count, 0)) {
		read_with_stores_waiting(p, size, pc);
	} else {
		rt.simple_hook = true;
		rt_plain(p, size, false, pc);
		rt.simple_hook = false;
	}
}

/* Bounds and initialisation, wherever the address may be. */
static inline void check(uintptr_t loc, size_t size, bool write, uintptr_t pc)
{
	if (rt_in_heap(loc)) {
		if (size > 16 || !rt_heap_may(loc, size, write))
			rt_check_heap(loc, size, write, pc);
	} else if (rt_in_stacks(loc)) {
		if (!is_own(loc))
			rt_lend(loc, size, write, pc);
		if (!write && __builtin_expect(rt_is_unwritten(loc, size), 0))
			rt_unwritten(loc, pc);
	} else if (__builtin_expect(rt_is_nowhere(loc), 0)) {
		rt_check_elsewhere(loc, size, write, pc);
	}
}

/* The access has been found possible; now the others. */
static inline void tell(uintptr_t loc, size_t size, bool write, uintptr_t pc)
{
	if (rt.setting_up) {
		if (write)
			rt_wrote(loc, size);
		return;
	}
	if (__builtin_expect(!--rt.budget, 0))
		endless(pc);
	rt_need_stack(pc);

	struct lp_observer *observer = rt.program.observer;
	size_t piece = size;
	bool shared = true;
	const enum lp_plain answer = observer->access(observer, rt_id(rt.self), loc, size, write,
						      pc, &piece, &shared, &rt.told);
	if (write && answer != LP_PLAIN_OWN && !is_own_stack(loc))
		rt.self->changes++;
	if (__builtin_expect(answer != LP_PLAIN_OK && answer != LP_PLAIN_OWN, 0))
		plain_specially(answer, loc, size, write, pc, piece, shared);
	else if (write)
		rt_wrote(loc, size);
}

void rt_plain(const void *p, size_t size, bool write, uintptr_t pc)
{
	if (!rt.self || !size)
		return;
	if (__builtin_expect(rt.foreign_count, 0) && rt_is_foreign((uintptr_t)p))
		return;
	rt_flush();
	check((uintptr_t)p, size, write, pc);
	tell((uintptr_t)p, size, write, pc);
}

void rt_live(const void *p, size_t size, uintptr_t pc)
{
	if (rt_in_heap((uintptr_t)p))
		rt_check_live((uintptr_t)p, size, false, pc);
	else if (rt_in_stacks((uintptr_t)p))
		rt_lend((uintptr_t)p, size, false, pc);
	else
		rt_check_elsewhere((uintptr_t)p, size, false, pc);
}

void rt_copy(void *to, const void *from, size_t size, uintptr_t pc)
{
	if (size && rt.self) {
		rt_flush();
		rt_live(from, size, pc);
		rt_live(to, size, pc);
		tell((uintptr_t)from, size, false, pc);
		tell((uintptr_t)to, size, true, pc);
		rt_copy_shadow((uintptr_t)to, (uintptr_t)from, size);
	}
	memmove(to, from, size);
}

/* Volatile accesses are relaxed atomic ones where hardware would make them so. */
void rt_volatile(const void *p, size_t size, bool write, uintptr_t pc)
{
	const uintptr_t loc = (uintptr_t)p;

	if (loc % size) {
		rt_plain(p, size, write, pc);
		return;
	}
	if (!rt.self)
		return;
	rt_flush();
	check(loc, size, write, pc);
	if (rt.setting_up) {
		if (write)
			rt_wrote(loc, size);
	} else if (write) {
		defer(loc, (uint8_t)size, LP_RLX, pc);
	} else {
		lp_value_write((void *)loc, present_load(loc, (uint8_t)size, LP_RLX, true, pc),
			       (unsigned)size);
	}
}

/* What a compare-exchange expects is nearly always a local variable.  Another thread may know of it;
 * but where every plain access is an operation, it would be one for each compare-exchange. */
static bool is_seen(const void *p)
{
	return !rt.options.interleaved || !is_own_stack((uintptr_t)p);
}

struct lp_value rt_expected(const void *p, unsigned size, uintptr_t pc)
{
	if (rt.self && is_seen(p))
		rt_plain(p, size, false, pc);
	return lp_value_read(p, size);
}

void rt_put_expected(void *p, unsigned size, struct lp_value value, uintptr_t pc)
{
	if (rt.self && is_seen(p))
		rt_plain(p, size, true, pc);
	lp_value_write(p, value, size);
}
