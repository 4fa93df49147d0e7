/* shim_cxx.c -- functions of libstdc++ (as of gcc 12) that C++ programs need besides the pthread
 * functions which its headers call: std::thread, std::condition_variable, the end of thread_local
 * objects.
 *
 * The names are the mangled ones, with the layout of the classes written out.
 */
#include "runtime/shims/shim.h"

#include <dlfcn.h>

#include "base/error.h"

/* Shared pointers skip atomic operations while this variable says that there is only one thread.
 * Here it always says that there are several.  Data cannot be a shim, which is a function; exported
 * under its own name it comes before libc's. */
LP_API extern char __libc_single_threaded;
char __libc_single_threaded;

/* libc has set the variable by the time constructors run, so this resets it.  Volatile: compilers
 * know that the variable is zero at first, and would do without the store. */
__attribute__((constructor)) static void be_several(void)
{
	*(volatile char *)&__libc_single_threaded = 0;
}

void *shim_libstdcxx(const char *symbol)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
	void *found = NULL;

	if (library) {
		found = dlsym(library, symbol);
		dlclose(library); /* the program holds it */
	}
	return found;
}

/* std::thread is its id. */
struct cxx_thread {
	pthread_t id;
};

/* std::thread::_State: a virtual destructor and then _M_run(). */
struct cxx_state {
	const struct {
		void (*destroy)(struct cxx_state *);
		void (*delete)(struct cxx_state *);
		void (*run)(struct cxx_state *);
	} *virtual;
};

static void drop_state(struct cxx_state **state)
{
	(*state)->virtual->delete(*state);
}

/* This file is compiled with -fexceptions: pthread_exit() drops the state, too. */
static void *run_state(void *arg)
{
	__attribute__((cleanup(drop_state))) struct cxx_state *state = arg;

	state->virtual->run(state);
	return NULL;
}

/* std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)()): the pointer is
 * passed by reference, and we take what it owns. */
LP_API void
lp_shim__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
	struct cxx_thread *thread, struct cxx_state **owner, void (*depend)(void))
{
	const struct shim_site *at = SHIM_NAMED("std::thread");

	(void)depend;
	LP_HOLDS(!*(volatile char *)&__libc_single_threaded); /* otherwise shared pointers would not count by atomic
	                                                       * operations */
	rt_read(owner, sizeof *owner, at->pc);
	struct cxx_state *state = *owner;
	RT_WRITE(owner, NULL, at->pc);
	const pthread_t id = shim_thread_create(at, run_state, state, false, 0);
	RT_WRITE(&thread->id, id, at->pc);
}

LP_API void lp_shim__ZNSt6thread4joinEv(struct cxx_thread *thread)
{
	const struct shim_site *at = SHIM_NAMED("std::thread::join");
	void *nothing;

	rt_read(thread, sizeof *thread, at->pc);
	if (shim_thread_join(at, thread->id, &nothing))
		rt_error(LP_ERROR_THREAD, at->pc, thread, "a thread joins itself");
	RT_WRITE(&thread->id, 0, at->pc);
}

LP_API void lp_shim__ZNSt6thread6detachEv(struct cxx_thread *thread)
{
	const struct shim_site *at = SHIM_NAMED("std::thread::detach");

	rt_read(thread, sizeof *thread, at->pc);
	shim_thread_detach(at, thread->id);
	RT_WRITE(&thread->id, 0, at->pc);
}

LP_API void
lp_shim__ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE(
	int64_t seconds, int64_t ns)
{
	(void)seconds, (void)ns;
	shim_yield(SHIM_NAMED("std::this_thread::sleep_for"));
}

/* std::condition_variable is a pthread_cond_t; its constructor has two names. */
LP_API void lp_shim__ZNSt18condition_variableC1Ev(pthread_cond_t *c)
{
	shim_cond_init(SHIM_NAMED("std::condition_variable"), c);
}

LP_API void lp_shim__ZNSt18condition_variableC2Ev(pthread_cond_t *c)
{
	shim_cond_init(SHIM_NAMED("std::condition_variable"), c);
}

LP_API void lp_shim__ZNSt18condition_variableD1Ev(pthread_cond_t *c)
{
	shim_cond_destroy(SHIM_NAMED("std::~condition_variable"), c);
}

LP_API void lp_shim__ZNSt18condition_variableD2Ev(pthread_cond_t *c)
{
	shim_cond_destroy(SHIM_NAMED("std::~condition_variable"), c);
}

/* std::unique_lock<std::mutex> begins with a pointer to the mutex, which is a
 * pthread_mutex_t. */
LP_API void
lp_shim__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(pthread_cond_t *c,
								   pthread_mutex_t **lock)
{
	const struct shim_site *at = SHIM_NAMED("std::condition_variable::wait");

	rt_read(lock, sizeof *lock, at->pc);
	shim_cond_wait(at, c, *lock, NULL);
}

LP_API void lp_shim__ZNSt18condition_variable10notify_oneEv(pthread_cond_t *c)
{
	shim_cond_signal(SHIM_NAMED("std::condition_variable::notify_one"), c);
}

LP_API void lp_shim__ZNSt18condition_variable10notify_allEv(pthread_cond_t *c)
{
	shim_cond_broadcast(SHIM_NAMED("std::condition_variable::notify_all"), c);
}

/* For atomic access to shared pointers, libstdc++ has a pool of mutexes.  Which pointers have the same one is chance, so
 * here each pointer has a lock of its own.  Another pointer that compare-exchange is given, that of the expected value,
 * is not accessed atomically ([util.smartptr.shared.atomic]), and is not locked.
 *
 * The destructor does not know the pointer.  A thread locks one at a time. */
static void lock_shared_ptr(const struct shim_site *at, const void *pointer)
{
	shim_lock(at, rt_state(pointer, sizeof(uint64_t)));
	LP_HOLDS(!*shim_word(SHIM_WORD_SHARED_PTR));
	*shim_word(SHIM_WORD_SHARED_PTR) = (uintptr_t)pointer;
}

LP_API void lp_shim__ZNSt10_Sp_lockerC1EPKv(void *self, const void *pointer)
{
	(void)self;
	lock_shared_ptr(SHIM_NAMED("std::atomic_load(shared_ptr)"), pointer);
}

LP_API void lp_shim__ZNSt10_Sp_lockerC1EPKvS1_(void *self, const void *pointer, const void *expected)
{
	(void)self, (void)expected;
	lock_shared_ptr(SHIM_NAMED("std::atomic_load(shared_ptr)"), pointer);
}

LP_API void lp_shim__ZNSt10_Sp_lockerD1Ev(void *self)
{
	const void *pointer = (const void *)(uintptr_t)*shim_word(SHIM_WORD_SHARED_PTR);

	(void)self;
	*shim_word(SHIM_WORD_SHARED_PTR) = 0;
	shim_unlock(SHIM_NAMED("std::atomic_load(shared_ptr)"), rt_state(pointer, sizeof(uint64_t)));
}

LP_API int lp_shim___cxa_thread_atexit(void (*destroy)(void *), void *object, void *library)
{
	(void)library;
	shim_at_thread_exit(SHIM_AT, destroy, object);
	return 0;
}

LP_API int lp_shim___cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library)
{
	(void)library;
	shim_at_thread_exit(SHIM_AT, destroy, object);
	return 0;
}
