/* shim_once.c -- functions that run once: pthread_once, C11 and C++ call_once, and the
 * initialisation of C++ function-local statics. */
#include "runtime/shims/shim.h"

#include <threads.h>

#include "base/error.h"

/* std::call_once() leaves what to call in two thread-local variables of libstdc++
 * and passes __once_proxy, which looks there.  Thread-locals of libraries belong to
 * the OS thread, which all our threads share: their values are taken over before
 * another thread can run, and put back before the call. */
static struct {
	void **callable;
	void (**call)(void);
	bool looked_for;
} standard;

LP_API void lp_shim___once_proxy(void)
{
	(*standard.call)();
}

static void find_standard(void)
{
	if (standard.looked_for)
		return;
	standard.looked_for = true;
	standard.callable = shim_libstdcxx("_ZSt15__once_callable");
	standard.call = (void (**)(void))shim_libstdcxx("_ZSt11__once_call");
	LP_HOLDS(!standard.callable == !standard.call); /* a library that has one has both */
}

enum { ONCE_FREE, ONCE_TAKEN, ONCE_DONE };

/* An attempt to run the routine.  If it throws (this file is compiled with -fexceptions), the flag
 * is free again, as in glibc, and the next thread tries. */
struct attempt {
	const struct shim_site *at;
	int *flag;
	bool done;
};

static void end_attempt(struct attempt *a)
{
	shim_store(a->at, a->flag, sizeof *a->flag, LP_REL, a->done ? ONCE_DONE : ONCE_FREE);
}

static void attempt(const struct shim_site *at, int *flag, void (*routine)(void))
{
	__attribute__((cleanup(end_attempt))) struct attempt a = { at, flag, false };

	routine();
	a.done = true;
}

static void run_once(const struct shim_site *at, int *flag, void (*routine)(void))
{
	find_standard();

	const bool cxx = standard.callable && standard.call;
	void *const callable = cxx ? *standard.callable : NULL;
	void (*const call)(void) = cxx ? *standard.call : NULL;

	shim_object(at, flag, sizeof *flag);
	for (;;) {
		if (!shim_rmw(at, flag, sizeof *flag, SHIM_XCHG(lp_value(ONCE_TAKEN)), LP_ACQ,
			      SHIM_IF_EQUAL(lp_value(ONCE_FREE), LP_ELSE_FAIL)).failed)
			break;
		const struct lp_value v = shim_await(at, flag, sizeof *flag,
			SHIM_IF_DIFFERENT(lp_value(ONCE_TAKEN), LP_ELSE_WAIT));
		if (v.lo == ONCE_DONE)
			return;
	}
	if (cxx) {
		*standard.callable = callable;
		*standard.call = call;
	}
	attempt(at, flag, routine);
}

LP_API int lp_shim_pthread_once(pthread_once_t *control, void (*routine)(void))
{
	run_once(SHIM_AT, control, routine);
	return 0;
}

LP_API void lp_shim_call_once(once_flag *flag, void (*routine)(void))
{
	run_once(SHIM_AT, (int *)flag, routine);
}

/* The compiler tests the first byte of a guard by an acquire load of its own and
 * enters only if it is zero; so that byte becomes 1 at the very end.  The shim uses the second byte:
 * free, taken, or done. */
enum { GUARD_FREE, GUARD_TAKEN, GUARD_DONE };

LP_API int lp_shim___cxa_guard_acquire(uint8_t *guard)
{
	const struct shim_site *at = SHIM_AT;

	for (;;) {
		if (!shim_rmw(at, &guard[1], 1, SHIM_XCHG(lp_value(GUARD_TAKEN)), LP_ACQ,
			      SHIM_IF_EQUAL(lp_value(GUARD_FREE), LP_ELSE_FAIL)).failed)
			return 1;
		const struct lp_value v = shim_await(at, &guard[1], 1,
			SHIM_IF_DIFFERENT(lp_value(GUARD_TAKEN), LP_ELSE_WAIT));
		if (v.lo == GUARD_DONE)
			return 0;
		/* The initialisation threw: another thread may try. */
	}
}

LP_API void lp_shim___cxa_guard_release(uint8_t *guard)
{
	const struct shim_site *at = SHIM_AT;

	shim_store(at, &guard[0], 1, LP_REL, 1);
	shim_store(at, &guard[1], 1, LP_REL, GUARD_DONE);
}

LP_API void lp_shim___cxa_guard_abort(uint8_t *guard)
{
	shim_store(SHIM_AT, &guard[1], 1, LP_REL, GUARD_FREE);
}
