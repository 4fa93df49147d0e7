/* shim_threads.c -- C11 <threads.h>, on the same state as the pthread shims. */
#include "runtime/shims/shim.h"

#include <errno.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t) &&
	       sizeof(thrd_t) == sizeof(pthread_t) && sizeof(tss_t) == sizeof(pthread_key_t), "the objects of pthreads");

static int result_of(int error)
{
	switch (error) {
	case 0:
		return thrd_success;
	case EBUSY:
		return thrd_busy;
	case ETIMEDOUT:
		return thrd_timedout;
	default:
		return thrd_error;
	}
}

/* A thrd_start_t returns int where a pthread returns a pointer.  Both come back in
 * the same register; thrd_join() takes its lower half. */
LP_API int lp_shim_thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
	const struct shim_site *at = SHIM_AT;
	void *(*const begin)(void *) = (void *(*)(void *))(void *)start;
	const thrd_t child = shim_thread_create(at, begin, arg, false, 0);

	RT_WRITE(thread, child, at->pc);
	return thrd_success;
}

LP_API int lp_shim_thrd_join(thrd_t thread, int *result)
{
	const struct shim_site *at = SHIM_AT;
	void *value;
	const int error = shim_thread_join(at, thread, &value);

	if (!error && result) {
		rt_asks_for_result((lp_tid)(thread - 1));
		RT_WRITE(result, (int)(uintptr_t)value, at->pc);
	}
	return result_of(error);
}

LP_API int lp_shim_thrd_detach(thrd_t thread)
{
	return result_of(shim_thread_detach(SHIM_AT, thread));
}

LP_API _Noreturn void lp_shim_thrd_exit(int result)
{
	shim_thread_exit((void *)(intptr_t)result);
}

LP_API thrd_t lp_shim_thrd_current(void)
{
	return (thrd_t)rt_self() + 1;
}

LP_API int lp_shim_thrd_equal(thrd_t a, thrd_t b)
{
	return a == b;
}

LP_API int lp_shim_mtx_init(mtx_t *m, int type)
{
	const bool recursive = type & mtx_recursive;

	shim_mutex_init(SHIM_AT, (pthread_mutex_t *)m,
			recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
	return thrd_success;
}

LP_API void lp_shim_mtx_destroy(mtx_t *m)
{
	shim_mutex_destroy(SHIM_AT, (pthread_mutex_t *)m);
}

LP_API int lp_shim_mtx_lock(mtx_t *m)
{
	return result_of(shim_mutex_lock(SHIM_SIMPLY_AT, (pthread_mutex_t *)m));
}

LP_API int lp_shim_mtx_trylock(mtx_t *m)
{
	return result_of(shim_mutex_trylock(SHIM_AT, (pthread_mutex_t *)m));
}

LP_API int lp_shim_mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until)
{
	return result_of(shim_mutex_timedlock(SHIM_AT, (pthread_mutex_t *)m, until));
}

LP_API int lp_shim_mtx_unlock(mtx_t *m)
{
	return result_of(shim_mutex_unlock(SHIM_AT, (pthread_mutex_t *)m));
}

LP_API int lp_shim_cnd_init(cnd_t *c)
{
	shim_cond_init(SHIM_AT, (pthread_cond_t *)c);
	return thrd_success;
}

LP_API void lp_shim_cnd_destroy(cnd_t *c)
{
	shim_cond_destroy(SHIM_AT, (pthread_cond_t *)c);
}

LP_API int lp_shim_cnd_wait(cnd_t *c, mtx_t *m)
{
	return result_of(shim_cond_wait(SHIM_AT, (pthread_cond_t *)c, (pthread_mutex_t *)m, NULL));
}

LP_API int lp_shim_cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
				 const struct timespec *restrict until)
{
	return result_of(shim_cond_wait(SHIM_AT, (pthread_cond_t *)c, (pthread_mutex_t *)m, until));
}

LP_API int lp_shim_cnd_signal(cnd_t *c)
{
	shim_cond_signal(SHIM_AT, (pthread_cond_t *)c);
	return thrd_success;
}

LP_API int lp_shim_cnd_broadcast(cnd_t *c)
{
	shim_cond_broadcast(SHIM_AT, (pthread_cond_t *)c);
	return thrd_success;
}

LP_API int lp_shim_tss_create(tss_t *key, tss_dtor_t destructor)
{
	return result_of(shim_key_create(SHIM_AT, key, destructor));
}

LP_API void lp_shim_tss_delete(tss_t key)
{
	shim_key_delete(SHIM_AT, key);
}

LP_API void *lp_shim_tss_get(tss_t key)
{
	return shim_key_get(SHIM_AT, key);
}

LP_API int lp_shim_tss_set(tss_t key, void *value)
{
	return result_of(shim_key_set(SHIM_AT, key, value));
}
