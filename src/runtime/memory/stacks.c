/* stacks.c -- local variables that other threads may know of.
 *
 * The program says where such a variable begins and where it ends (lp_object_begins(),
 * lp_object_ends()); the shadow (heap.h) has it byte by byte:
 *
 *     00 in no variable: the state is not known, everything is allowed
 *     01 not written     11 written     10 the variable has ended, or the byte is next to a variable
 *
 * The shadow of a stack is valid above rt_thread.known; this part is saved with the thread.  If threads
 * are processes (native_process.c), stacks have no valid shadow: a process consists only of the bytes of
 * its stack.
 *
 * If another thread accesses the variable after its end, this is an error at once.  An access of another
 * thread before the end is noted with the owner, as a range of the owner's stack.  When the variable ends,
 * the observer is told that the memory is freed, and finds out whether the access happens before the end.
 */
#include <stdio.h>

#include "base/error.h"
#include "runtime/memory/heap.h"
#include "runtime/ignored.h"

enum {
	ENDED = 2,
	UNIT = 64,  /* the bytes of a stack whose shadow takes 16 bytes (save.c) */
	ROOM = 0xf5 /* the contents of the bytes next to variables */
};

static struct rt_thread *owner_of(uintptr_t p)
{
	LP_HOLDS(rt_in_stacks(p));
	return &rt.threads[(p - RT_STACKS) / rt.layout.stack_stride];
}

bool rt_is_known_stack(uintptr_t p, size_t size)
{
	if (!rt_in_stacks(p))
		return false;
	const struct rt_thread *owner = owner_of(p);
	return p >= owner->known && p + size <= rt_stack_top(rt_id(owner));
}

bool rt_on_own_stack(const void *p)
{
	return rt.self && (uintptr_t)p - (RT_STACKS + rt_id(rt.self) * rt.layout.stack_stride) < rt.layout.stack_stride;
}

void rt_stack_wrote(uintptr_t p, size_t size)
{
	if (!rt_is_known_stack(p, size))
		return;
	for (size_t done = 0, n; done < size; done += n) {
		n = size - done < 16 ? size - done : 16;
		uint64_t bits;
		memcpy(&bits, rt_shadow(p + done), sizeof bits);
		bits |= (bits & rt_shadow_mask(p + done, n) & RT_LOW_BITS) << 1;
		memcpy(rt_shadow(p + done), &bits, sizeof bits);
	}
}

/* Does the byte still have its first contents? */
static bool is_untouched(uintptr_t p)
{
	return *(const uint8_t *)p == (uint8_t)(RT_UNWRITTEN >> (p & 7) * 8);
}

bool rt_stack_is_unwritten(uintptr_t p, size_t size)
{
	bool any = false;

	if (rt.process.anonymous) /* values of other sizes cannot be distinguished from the first
	                           * contents */
		return (size == 4 || size == 8) && p % size == 0 &&
		       !memcmp((const void *)p, (const char *)&(uint64_t){ RT_UNWRITTEN } + p % 8, size);
	if (!rt_is_known_stack(p, size))
		return false;
	for (size_t i = 0; i < size; i++)
		if (rt_shadow_of(p + i) == 1) {
			if (!is_untouched(p + i))
				return false; /* code without hooks has written it */
			any = true;
		}
	return any;
}

/* ---- accesses ---- */

/* The beginning of the part of the stack that its thread uses. */
static uintptr_t used_part(const struct rt_thread *thread)
{
	const lp_tid t = rt_id(thread);
	const uintptr_t start = RT_STACKS + t * rt.layout.stack_stride, sp = (uintptr_t)thread->sp;

	/* A thread that has ended the whole program, by exit() say, has not returned from anything. */
	if (thread->state == RT_STOPPED && thread->op.kind == LP_OP_END && thread->op.final)
		return start;
	if (thread->state != RT_WAITING && thread->state != RT_NEW)
		return rt_stack_end(t);
	if (thread->state == RT_NEW)
		return rt_stack_top(t);
	return sp - start <= rt.layout.stack_stride ? sp : start; /* otherwise the thread runs on a stack
	                                                           * that the program has made */
}

/* Notes that another thread uses memory that may be a local variable of the owner. */
static void lend(struct rt_thread *owner, uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	if (p < used_part(owner))
		rt_error(LP_ERROR_USE_AFTER_FREE, pc, (void *)p, "%s of %zu bytes of the %s of thread %u, %s",
			 write ? "write" : "read", size, p < rt_stack_top(rt_id(owner)) ? "stack" : "thread-local variables", rt_id(owner),
			 owner->state == RT_WAITING ? "in a function that has returned" : "which has ended");
	LP_HOLDS(owner != rt.self);
	rt_touch(rt_id(owner));
	if (!owner->lent_end || p < owner->lent)
		owner->lent = p;
	if (p + size > owner->lent_end)
		owner->lent_end = p + size;
}

/* Is the byte next to a variable that has not ended? */
static bool is_beside(uintptr_t p)
{
	if (*(const uint8_t *)p != ROOM)
		return false;
	for (size_t i = 1; i <= LP_STACK_ROOM; i++)
		if (rt_is_known_stack(p - i, 2 * i + 1) && ((rt_shadow_of(p - i) | rt_shadow_of(p + i)) & 1))
			return true;
	return false;
}

static _Noreturn void no_variable(const struct rt_thread *owner, uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	const char *access = write ? "write" : "read";

	if (is_beside(p))
		rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, (void *)p, "%s of %zu bytes, beyond a local variable of thread %u",
			 access, size, rt_id(owner));
	rt_error(LP_ERROR_USE_AFTER_FREE, pc, (void *)p, "%s of %zu bytes of a local variable of thread %u, which has ended",
		 access, size, rt_id(owner));
}

/* Thread-local variables are behind the stack, in the order that they have in their image. */
static void check_local(const struct rt_thread *owner, uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	const uintptr_t offset = p - rt_stack_top(rt_id(owner));

	if (offset < rt.module->locals_size)
		rt_check_variable((uintptr_t)rt.module->locals + offset, size, write, pc,
				  "a thread-local variable");
}

void rt_check_stack_live(uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	struct rt_thread *owner = owner_of(p);

	if (!rt.self || rt.process.anonymous)
		return;
	if (owner != rt.self && !rt.setting_up)
		lend(owner, p, size, write, pc);
	check_local(owner, p, size, write, pc);
	if (!rt_is_known_stack(p, size))
		return;
	for (size_t i = 0; i < size; i++)
		if (rt_shadow_of(p + i) == ENDED)
			no_variable(owner, p + i, size, write, pc);
}

void rt_check_stack(uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	rt_check_stack_live(p, size, write, pc);
	if (!write && rt_stack_is_unwritten(p, size) && !lp_native_passes_over(LP_ERROR_UNINITIALISED, pc))
		rt_error(LP_ERROR_UNINITIALISED, pc, (void *)p, "read of a local variable that was never written");
}

LP_API void lp_defined(LP_HOOK_SITE, bool written)
{
	if (__builtin_expect(!written && rt.self, 0))
		rt_error(LP_ERROR_UNINITIALISED, (uintptr_t)site, NULL, "read of a local variable that was never written");
}

LP_API void lp_within(LP_HOOK_SITE, const void *p, size_t size, const void *variable, size_t whole, bool write)
{
	const size_t offset = (uintptr_t)p - (uintptr_t)variable;
	const bool is_before = offset > SIZE_MAX / 2;

	if (__builtin_expect((offset <= whole && size <= whole - offset) || !size || !rt.self, 1))
		return;
	rt_error(LP_ERROR_OUT_OF_BOUNDS, (uintptr_t)site, p, "%s of %zu bytes, %zu bytes %s a local variable of %zu bytes",
		 write ? "write" : "read", size, is_before ? -offset : offset < whole ? 0 : offset - whole,
		 is_before ? "before" : "behind", whole);
}

/* ---- beginnings and ends ---- */

/* Makes the shadow valid from p on. */
static void know(uintptr_t p)
{
	struct rt_thread *self = rt.self;
	const uintptr_t from = p & ~(uintptr_t)(UNIT - 1);

	if (from >= self->known)
		return;
	LP_HOLDS(from >= rt.own_stack && self->known % UNIT == 0);
	memset(rt_shadow(from), 0, (self->known - from) / 4);
	self->known = from;
}

/* Fills the bytes with the pattern for unwritten memory, aligned to eight bytes. */
static void fill_unwritten(uintptr_t p, size_t size)
{
	for (; size && p & 7; p++, size--)
		*(uint8_t *)p = (uint8_t)(RT_UNWRITTEN >> (p & 7) * 8);
	for (; size >= 8; p += 8, size -= 8)
		*(uint64_t *)p = RT_UNWRITTEN;
	memcpy((void *)p, &(uint64_t){ RT_UNWRITTEN }, size);
}

/* Frees the parts of [from, to) of the thread's stack that other threads use. */
static void give_back(uintptr_t from, uintptr_t to, uintptr_t pc)
{
	struct rt_thread *self = rt.self;
	struct lp_observer *observer = rt.program.observer;

	if (rt.setting_up || rt.process.anonymous)
		return;
	from = from > self->lent ? from : self->lent;
	to = to < self->lent_end ? to : self->lent_end;
	if (from >= to)
		return;
	if (from == self->lent)
		self->lent = to;
	else if (to == self->lent_end)
		self->lent_end = from;
	LP_HOLDS(self->lent <= self->lent_end);
	if (self->lent == self->lent_end)
		self->lent = self->lent_end = 0;
	if (observer->freed(observer, rt_id(self), from, to - from, pc, &rt.told))
		return;
	struct lp_program_error *error = rt_new_error();
	*error = rt.told;
	rt.self->op.pc = error->pc;
	snprintf(error->text, sizeof error->text,
		 "a function of thread %u returns while thread %u may still use its local variables",
		 rt_id(self), error->other_thread);
	rt_stop();
}

void rt_end_stack(void)
{
	if (rt.self->lent_end)
		give_back(RT_STACKS, rt_stack_end(rt_id(rt.self)), rt.self->op.pc);
}

static bool is_told_of(const void *p, size_t size)
{
	return rt.self && !rt.process.anonymous && size && rt_in_own_stack((uintptr_t)p);
}

/* Counts the call, unless the variable is private: then other threads cannot observe it. */
static inline void count_entry(const struct lp_site *site)
{
	if (!(site->flags & LP_SITE_PRIVATE))
		rt_entries++;
}

/* Marks the bytes next to a variable like those of a variable that has ended. */
static void make_room(uintptr_t p)
{
	memset((void *)p, ROOM, LP_STACK_ROOM);
	if (is_told_of((void *)p, LP_STACK_ROOM))
		rt_paint(p, LP_STACK_ROOM, 0xaa);
}

LP_API void lp_object_begins(LP_HOOK_SITE, void *p, size_t size, bool roomy)
{
	const uintptr_t at = (uintptr_t)p;

	if (!(site->flags & LP_SITE_PRIVATE))
		rt_differs();
	count_entry(site);
	fill_unwritten(at, size);
	if (is_told_of(p, size)) {
		know(roomy ? at - LP_STACK_ROOM : at);
		rt_paint(at, size, 0x55);
	}
	if (roomy) {
		make_room(at - LP_STACK_ROOM);
		make_room(at + size);
	}
}

/* Have all threads except the first one ended? */
static bool is_first_alone(void)
{
	if (rt.self != &rt.threads[0])
		return false;
	for (lp_tid t = 1; t < rt.family.known; t++)
		if (rt.threads[t].state == RT_NEW || rt.threads[t].state == RT_WAITING)
			return false;
	return true;
}

LP_API void lp_object_ends(LP_HOOK_SITE, void *p, size_t size)
{
	count_entry(site);
	if (!is_told_of(p, size))
		return;
	know((uintptr_t)p);
	rt_paint((uintptr_t)p, size, 0xaa);
	/* Variables of main() end after the last join, where explore/reduce/final_joins.h applies: no thread is
	 * left that could notice this, unless one has used the memory before. */
	if (!(site->flags & LP_SITE_PRIVATE) && !rt.self->lent_end && is_first_alone())
		rt_quiet_entries++;
	if (rt.self->lent_end) {
		rt_at(site);
		give_back((uintptr_t)p, (uintptr_t)p + size, (uintptr_t)site);
	}
}

/* The variables below `p` have ended: 01 and 11 become 10. */
LP_API void lp_stack_unwound(void *p)
{
	const uintptr_t end = (uintptr_t)p;

	if (!is_told_of(p, 1))
		return;
	for (uintptr_t at = rt.self->known; at < end; at += 16) {
		const uint64_t mask = rt_shadow_mask(0, end - at < 16 ? end - at : 16);
		uint64_t bits;
		memcpy(&bits, rt_shadow(at), sizeof bits);
		const uint64_t ended = ((bits | bits << 1) & RT_HIGH_BITS) & mask;
		bits = (bits & ~mask) | ended;
		memcpy(rt_shadow(at), &bits, sizeof bits);
	}
	if (rt.self->lent_end)
		give_back(RT_STACKS, end, (uintptr_t)rt_site());
}

/* ---- memory of the stack of which nothing is known ---- */

static void forget(uintptr_t p, size_t size)
{
	if (rt_is_known_stack(p, size))
		rt_paint(p, size, 0);
}

/* Another variable at the same place may have ended. */
LP_API void lp_private_begins(void *p, size_t size)
{
	fill_unwritten((uintptr_t)p, size);
	if (rt.self && (uintptr_t)p >= rt.self->known)
		forget((uintptr_t)p, size);
}

/* For arguments that are passed on the stack: forgets ended variables up to the next one. */
static void forget_ended_from(uintptr_t p)
{
	const uintptr_t end = rt_stack_top(rt_id(rt.self)); /* the next stack may begin there */

	for (; p < end && rt_is_known_stack(p, 1) && !(rt_shadow_of(p) & 1); p++)
		rt_paint(p, 1, 0);
}

/* Reads the structure of a va_list, which the ABIs of the two processors define. */
LP_API void lp_arguments_begin(void *list)
{
	if (!rt.self || rt.process.anonymous)
		return;
#if defined(__x86_64__)
	const struct {
		uint32_t gp_offset, fp_offset;
		uintptr_t overflow, saved;
	} *l = list;
	forget(l->saved, 6 * 8 + 8 * 16);
	forget_ended_from(l->overflow);
#elif defined(__aarch64__)
	const struct {
		uintptr_t stack, gr_top, vr_top;
		int32_t gr_offset, vr_offset;
	} *l = list;
	forget(l->gr_top + (uintptr_t)(intptr_t)l->gr_offset, (size_t)-(ptrdiff_t)l->gr_offset);
	forget(l->vr_top + (uintptr_t)(intptr_t)l->vr_offset, (size_t)-(ptrdiff_t)l->vr_offset);
	forget_ended_from(l->stack);
#endif
}

void rt_stack_forget_below(uintptr_t sp)
{
	if (!is_told_of((void *)sp, 1) || sp <= rt.self->known)
		return;
	const uintptr_t from = sp & ~(uintptr_t)(UNIT - 1);
	if (from > rt.self->known)
		rt.self->known = from;
	rt_paint(rt.self->known, sp - rt.self->known, 0);
}
