/* shim_pthread_thread.c -- creating, joining and ending pthreads.
 *
 * A pthread_t is the thread's id plus one.  Whether a thread was joined or
 * detached is in its words.  Two joins of one thread are an error in any order, so these flags need
 * no operations.
 */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <string.h>
#include <unwind.h>

#include "base/error.h"

pthread_t shim_thread_create(const struct shim_site *at, void *(*start)(void *), void *arg,
			     bool detached, pthread_t like)
{
	const lp_tid child = rt_spawn(at->name, at->pc, start, arg, like ? (uint32_t)like : RT_RECOGNISE);

	LP_HOLDS(child && rt_thread_exists(child)); /* no thread starts main()'s */
	if (detached)
		rt_thread_words(child)[SHIM_WORD_FLAGS] |= SHIM_DETACHED;
	return (pthread_t)child + 1;
}

/* Flags of a thread that is to be joined or detached. */
static uint64_t *unclaimed(const struct shim_site *at, pthread_t thread)
{
	if (thread == 0 || thread > UINT32_MAX || !rt_thread_exists((lp_tid)(thread - 1)))
		rt_error(LP_ERROR_THREAD, at->pc, NULL, "%s() of something that is not a thread", at->name);

	rt_concerns_main();
	const lp_tid id = (lp_tid)(thread - 1);
	uint64_t *flags = &rt_thread_words(id)[SHIM_WORD_FLAGS];
	LP_HOLDS(!*flags || *flags == SHIM_JOINED || *flags == SHIM_DETACHED);
	if (*flags)
		rt_error(LP_ERROR_THREAD, at->pc, NULL, "%s() of thread %u, which was %s before",
			 at->name, id, *flags & SHIM_JOINED ? "joined" : "detached");
	return flags;
}

static int join(const struct shim_site *at, pthread_t thread, void **result,
		enum shim_patience patience)
{
	if (thread == (pthread_t)rt_self() + 1)
		rt_error(LP_ERROR_THREAD, at->pc, NULL, "%s() of the thread itself", at->name);
	*unclaimed(at, thread) |= SHIM_JOINED;
	*result = rt_join(at->name, at->pc, (lp_tid)(thread - 1),
			  patience == SHIM_FOREVER ? LP_ELSE_WAIT : LP_ELSE_DROP);
	LP_HOLDS(rt_thread_words((lp_tid)(thread - 1))[SHIM_WORD_FLAGS] == SHIM_JOINED); /* the thread stays
	                                                                                  * claimed */
	return 0;
}

int shim_thread_join(const struct shim_site *at, pthread_t thread, void **result)
{
	rt_quiet_entries++;
	return join(at, thread, result, SHIM_FOREVER);
}

int shim_thread_detach(const struct shim_site *at, pthread_t thread)
{
	*unclaimed(at, thread) |= SHIM_DETACHED;
	rt_changed();
	return 0;
}

/* The id is written after the thread began: POSIX does not promise a new thread
 * that its creator has done so. */
LP_API int lp_shim_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
				  void *(*start)(void *), void *arg)
{
	const struct shim_site *at = SHIM_AT;
	int detach = PTHREAD_CREATE_JOINABLE;

	if (attr) {
		rt_read(attr, sizeof *attr, at->pc);
		pthread_attr_getdetachstate(attr, &detach);
	}
	const pthread_t child = shim_thread_create(at, start, arg, detach == PTHREAD_CREATE_DETACHED,
						     0);
	RT_WRITE(thread, child, at->pc);
	return 0;
}

static void write_result(const struct shim_site *at, pthread_t thread, void **result, void *value)
{
	LP_HOLDS(rt_thread_exists((lp_tid)(thread - 1)));
	rt_asks_for_result((lp_tid)(thread - 1));
	RT_WRITE(result, value, at->pc);
}

LP_API int lp_shim_pthread_join(pthread_t thread, void **result)
{
	const struct shim_site *at = SHIM_AT;
	void *value;
	const int error = shim_thread_join(at, thread, &value);

	if (!error && result)
		write_result(at, thread, result, value);
	return error;
}

static int join_or_not(const struct shim_site *at, pthread_t thread, void **result, int error)
{
	void *value;

	if (rt_choose(at->name, at->pc, 2))
		return error;
	error = join(at, thread, &value, SHIM_TIMED);
	if (!error && result)
		write_result(at, thread, result, value);
	return error;
}

LP_API int lp_shim_pthread_tryjoin_np(pthread_t thread, void **result)
{
	return join_or_not(SHIM_AT, thread, result, EBUSY);
}

LP_API int lp_shim_pthread_timedjoin_np(pthread_t thread, void **result,
					const struct timespec *until)
{
	(void)until;
	return join_or_not(SHIM_AT, thread, result, ETIMEDOUT);
}

LP_API int lp_shim_pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
					const struct timespec *until)
{
	(void)clock, (void)until;
	return join_or_not(SHIM_AT, thread, result, ETIMEDOUT);
}

LP_API int lp_shim_pthread_detach(pthread_t thread)
{
	return shim_thread_detach(SHIM_AT, thread);
}

LP_API pthread_t lp_shim_pthread_self(void)
{
	return (pthread_t)rt_self() + 1;
}

LP_API int lp_shim_pthread_equal(pthread_t a, pthread_t b)
{
	return a == b;
}

/* A thread that exits unwinds its stack, as in glibc: destructors of C++ run, and so do functions of the attribute
 * `cleanup` in code that is compiled for exceptions.
 *
 * pthread_cleanup_push() of C is something else: a sigsetjmp() into a buffer in the user's frame, which is registered
 * here.  When the unwinding comes to that frame we jump there, the handler runs, and __pthread_unwind_next() comes back
 * for the frames around it. */
static __pthread_unwind_buf_t *innermost(void)
{
	return (__pthread_unwind_buf_t *)(uintptr_t)*shim_word(SHIM_WORD_CLEANUP);
}

static void jump_to(__pthread_unwind_buf_t *buffer)
{
	*shim_word(SHIM_WORD_CLEANUP) = (uintptr_t)buffer->__pad[0];
	siglongjmp((struct __jmp_buf_tag *)(void *)buffer, 1);
}

/* Is called for each frame, the innermost one first.  The CFA of `frame` is where its stack pointer is while it
 * calls others. */
static _Unwind_Reason_Code pass_frame(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
				      struct _Unwind_Exception *exit, struct _Unwind_Context *frame, void *nothing)
{
	__pthread_unwind_buf_t *const buffer = innermost();
	const bool at_end = actions & _UA_END_OF_STACK;

	(void)version, (void)class, (void)exit, (void)nothing;
	if (buffer && (at_end || _Unwind_GetCFA(frame) >= (uintptr_t)buffer->__pad[1]))
		jump_to(buffer);
	if (at_end)
		rt_exit((void *)(uintptr_t)*shim_word(SHIM_WORD_RESULT));
	return _URC_NO_REASON;
}

static void is_caught(_Unwind_Reason_Code reason, struct _Unwind_Exception *exit)
{
	(void)reason, (void)exit;
	rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "the end of a thread is caught by catch (...), and not thrown again");
}

/* Libraries keep state of the unwinding in the thread's words.  No state of a thread can be compared while they unwind
 * its stack. */
void shim_thread_exit(void *result)
{
	struct _Unwind_Exception *const exit = (struct _Unwind_Exception *)(void *)shim_word(SHIM_WORD_UNWINDING);

	_Static_assert(sizeof *exit <= SHIM_UNWINDING_WORDS * sizeof(uint64_t), "room for it");
	*shim_word(SHIM_WORD_RESULT) = (uintptr_t)result;
	if (!rt_compared()) {
		*exit = (struct _Unwind_Exception){ .exception_cleanup = is_caught };
		_Unwind_ForcedUnwind(exit, pass_frame, NULL);
	}
	if (innermost()) /* the stack cannot be unwound */
		jump_to(innermost());
	rt_exit(result);
}

LP_API _Noreturn void lp_shim_pthread_exit(void *result)
{
	shim_thread_exit(result);
}

LP_API void lp_shim___pthread_register_cancel(__pthread_unwind_buf_t *buffer)
{
	buffer->__pad[0] = innermost();
	buffer->__pad[1] = __builtin_dwarf_cfa();
	*shim_word(SHIM_WORD_CLEANUP) = (uintptr_t)buffer;
}

LP_API void lp_shim___pthread_unregister_cancel(__pthread_unwind_buf_t *buffer)
{
	*shim_word(SHIM_WORD_CLEANUP) = (uintptr_t)buffer->__pad[0];
}

LP_API void lp_shim___pthread_register_cancel_defer(__pthread_unwind_buf_t *buffer)
{
	lp_shim___pthread_register_cancel(buffer);
}

LP_API void lp_shim___pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buffer)
{
	lp_shim___pthread_unregister_cancel(buffer);
}

LP_API _Noreturn void lp_shim___pthread_unwind_next(__pthread_unwind_buf_t *buffer)
{
	(void)buffer;
	shim_thread_exit((void *)(uintptr_t)*shim_word(SHIM_WORD_RESULT));
}

/* Threads are never cancelled, so the other functions for cancellation have no effect. */
LP_API int lp_shim_pthread_cancel(pthread_t thread)
{
	rt_error(LP_ERROR_UNSUPPORTED, RT_PC, NULL, "pthread_cancel() of thread %lu", thread - 1);
}

LP_API int lp_shim_pthread_setcancelstate(int state, int *old)
{
	(void)state;
	if (old)
		RT_WRITE(old, PTHREAD_CANCEL_ENABLE, RT_PC);
	return 0;
}

LP_API int lp_shim_pthread_setcanceltype(int type, int *old)
{
	(void)type;
	if (old)
		RT_WRITE(old, PTHREAD_CANCEL_DEFERRED, RT_PC);
	return 0;
}

LP_API void lp_shim_pthread_testcancel(void)
{
}

/* A signal would run on whichever thread is current: not modelled. */
LP_API int lp_shim_pthread_kill(pthread_t thread, int sig)
{
	if (sig != 0)
		rt_error(LP_ERROR_UNSUPPORTED, RT_PC, NULL, "pthread_kill() of thread %lu", thread - 1);
	return thread == 0 || !rt_thread_exists((lp_tid)(thread - 1)) ? ESRCH : 0;
}

LP_API int lp_shim_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	(void)prepare, (void)parent, (void)child;
	return 0;
}
