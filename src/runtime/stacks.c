/* stacks.c -- local variables that other threads use.
 *
 * A local variable ends when its function returns, and so do all of a thread's variables when
 * the thread ends.  Neither is an operation, and no hook tells of a return.  But a return shows at
 * the thread's next operation: the variable then lies below its stack pointer.  Two cases:
 *
 *   an access after the end     the variable lies below the owner's stack pointer, or the owner
 *                               has ended: an error at once
 *   an access before the end    is noted with the owner, as a range of its stack.  The owner's next
 *                               operation at which some of the range lies below its stack pointer
 *                               frees that part: if the access does not happen before
 *                               that, it is an error
 *
 * So whichever of two unordered ones comes first here, access or end, it is found.  A return is
 * missed if a function that is called before the next operation covers the variable again.
 */
#include <stdio.h>

#include "runtime/machine.h"

/* Where the live part of a thread's stack begins; its thread-locals are above. */
static uintptr_t live_part(const struct rt_thread *thread)
{
	const lp_tid t = rt_id(thread);
	const uintptr_t start = RT_STACKS + t * rt.stack_stride, sp = thread->entry.rsp;

	/* A thread that has ended the whole program, by exit() say, has not returned from anything. */
	if (thread->state == RT_ABSENT ||
	    (thread->state == RT_STOPPED && thread->op.kind == LP_OP_END && !thread->op.count))
		return rt_stack_end(t);
	return sp - start <= rt.stack_stride ? sp : start; /* else on a stack of the user's own */
}

bool rt_on_own_stack(const void *p)
{
	return rt.self && (uintptr_t)p - (RT_STACKS + rt_id(rt.self) * rt.stack_stride) < rt.stack_stride;
}

void rt_lend(uintptr_t p, size_t size, bool write, uintptr_t pc)
{
	const lp_tid t = (lp_tid)((p - RT_STACKS) / rt.stack_stride);
	struct rt_thread *owner = &rt.threads[t];

	if (owner == rt.self || !rt.self || rt.setting_up || rt.anonymous)
		return;
	if (p < live_part(owner))
		rt_error("use after free", pc, (void *)p, "%s of %zu bytes of the stack of thread %u, %s",
			 write ? "write" : "read", size, t,
			 owner->state == RT_WAITING ? "in a function that has returned" : "which has ended");
	if (!owner->lent_end || p < owner->lent)
		owner->lent = p;
	if (p + size > owner->lent_end)
		owner->lent_end = p + size;
}

void rt_give_back(uintptr_t live)
{
	struct rt_thread *self = rt.self;
	struct lp_observer *observer = rt.program.observer;
	const uintptr_t from = self->lent, to = self->lent_end < live ? self->lent_end : live;

	if (from >= live)
		return;
	self->lent = to;
	if (to == self->lent_end)
		self->lent = self->lent_end = 0;
	if (observer->freed(observer, rt_id(self), from, to - from, self->entry.rip, &rt.told))
		return;
	struct lp_program_error *error = rt_new_error();
	*error = rt.told;
	rt.self->op.pc = error->pc;
	snprintf(error->text, sizeof error->text,
		 "a function of thread %u returns while thread %u may still use its local variables",
		 rt_id(self), error->other_thread);
	rt_stop();
}

void rt_give_back_returned(void)
{
	if (!rt.setting_up && !rt.anonymous)
		rt_give_back(live_part(rt.self));
}
