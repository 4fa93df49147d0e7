/* test_shims.c -- synchronisation, threads, memory and endings: what they return,
 * what they leave in the user's objects, which operations they present. */
#define _GNU_SOURCE
#include "test_shims.h"
#include "fake_rt.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

SHIM(pthread_mutex_init); SHIM(pthread_mutex_destroy);
SHIM(pthread_mutex_trylock); SHIM(pthread_mutex_timedlock); SHIM(pthread_mutex_unlock);
SHIM(pthread_mutexattr_init); SHIM(pthread_mutexattr_settype);
SHIM(pthread_spin_init); SHIM(pthread_spin_lock); SHIM(pthread_spin_trylock);
SHIM(pthread_spin_unlock); SHIM(pthread_spin_destroy);
SHIM(pthread_rwlock_init); SHIM(pthread_rwlock_rdlock); SHIM(pthread_rwlock_wrlock);
SHIM(pthread_rwlock_tryrdlock); SHIM(pthread_rwlock_trywrlock); SHIM(pthread_rwlock_unlock);
SHIM(pthread_rwlock_timedwrlock); SHIM(pthread_rwlock_destroy);
SHIM(pthread_cond_wait); SHIM(pthread_cond_timedwait); SHIM(pthread_cond_signal);
SHIM(pthread_cond_broadcast); SHIM(pthread_cond_destroy);
SHIM(sem_init); SHIM(sem_wait); SHIM(sem_trywait); SHIM(sem_post); SHIM(sem_timedwait);
SHIM(sem_getvalue);
SHIM(pthread_barrier_init); SHIM(pthread_barrier_wait); SHIM(pthread_once);
SHIM(pthread_key_create); SHIM(pthread_key_delete); SHIM(pthread_setspecific);
SHIM(pthread_getspecific);
SHIM(pthread_create); SHIM(pthread_join); SHIM(pthread_detach); SHIM(pthread_self);
SHIM(pthread_exit); SHIM(pthread_cancel); SHIM(pthread_attr_init); SHIM(pthread_attr_setdetachstate);
SHIM(thrd_create); SHIM(thrd_join); SHIM(mtx_init); SHIM(mtx_lock); SHIM(mtx_trylock);
SHIM(mtx_unlock); SHIM(tss_create); SHIM(tss_get); SHIM(call_once); SHIM(cnd_signal);
SHIM(malloc); SHIM(calloc); SHIM(free); SHIM(aligned_alloc); SHIM(posix_memalign);
SHIM(reallocarray); SHIM(malloc_usable_size);
SHIM(exit); SHIM(_exit); SHIM(abort); SHIM(atexit); SHIM(quick_exit); SHIM(at_quick_exit);
SHIM(sched_yield); SHIM(time); SHIM(rand); SHIM(srand); SHIM(usleep); SHIM(getpid);
int lp_shim_pthread_mutex_lock(pthread_mutex_t *); /* NULL is tested */
void *lp_shim_realloc(void *, size_t);
void lp_shim___assert_fail(const char *, const char *, unsigned, const char *);
void lp_shim___VERIFIER_assume(int);
int lp_shim___VERIFIER_nondet_int(void);
unsigned lp_shim___VERIFIER_nondet_uint(void);
bool lp_shim___VERIFIER_nondet_bool(void);
pthread_t lp_shim___VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);
int lp_shim___cxa_guard_acquire(uint8_t *);
void lp_shim___cxa_guard_release(uint8_t *);
void lp_shim___cxa_guard_abort(uint8_t *);
void *lp_shim__Znwm(size_t);
void lp_shim__ZdlPv(void *);
void *lp_shim__ZnwmSt11align_val_t(size_t, size_t);
void *_Znwm(size_t);
void _ZdlPv(void *);
void *__cxa_get_globals(void);
void *__cxa_allocate_exception(size_t);
void __cxa_free_exception(void *);
extern char __libc_single_threaded;
int lp_shim___cxa_thread_atexit(void (*)(void *), void *, void *);
int *lp_shim___errno_location(void);
long lp_shim_syscall(long, ...);
void lp_shim___pthread_register_cancel(__pthread_unwind_buf_t *);
void lp_shim___pthread_unwind_next(__pthread_unwind_buf_t *);

static const struct timespec soon;

static bool is(const char *stop, const char *kind)
{
	if (stop && kind && !strcmp(stop, kind))
		return true;
	printf("stopped: %s: %s\n", stop ? stop : "not at all", fake.text);
	return false;
}

static uint64_t word(const volatile void *object)
{
	uint64_t w;

	memcpy(&w, (const void *)object, sizeof w);
	return w;
}

static void mutexes(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

	fake_forget();
	EXPECT(lp_shim_pthread_mutex_lock(&m) == 0 && word(&m) == 1);
	const struct lp_op *lock = &fake.ops[0];
	EXPECT(lock->kind == LP_OP_RMW && lock->size == 8 && lock->loc == (uintptr_t)&m &&
	      lock->order == LP_ACQ && lock->otherwise == LP_ELSE_WAIT && lock->internal);
	EXPECT(!strcmp(lock->name, "pthread_mutex_lock"));
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_lock(&m)), "wait")); /* its own: a deadlock */
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_destroy(&m)), "mutex misuse"));
	fake.self = 3;
	EXPECT(lp_shim_pthread_mutex_trylock(&m) == EBUSY);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_unlock(&m)), "mutex misuse"));
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_lock(&m)), "wait"));
	fake.self = 0;
	fake_forget();
	EXPECT(lp_shim_pthread_mutex_unlock(&m) == 0 && word(&m) == 0);
	EXPECT(fake.op_count == 1 && fake.ops[0].kind == LP_OP_STORE && fake.ops[0].order == LP_REL);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_unlock(&m)), "mutex misuse"));
	fake.self = 3;
	EXPECT(lp_shim_pthread_mutex_trylock(&m) == 0 && word(&m) == 4);
	EXPECT(lp_shim_pthread_mutex_unlock(&m) == 0);
	fake.self = 0;

	fake_choose(3, (uint32_t[]){ 1, 0, 1 });
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_timedlock(&m, &soon)), "drop"));
	EXPECT(lp_shim_pthread_mutex_timedlock(&m, &soon) == 0 && word(&m) == 1);
	fake.self = 3;
	EXPECT(lp_shim_pthread_mutex_timedlock(&m, &soon) == ETIMEDOUT && word(&m) == 1);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_init(&m, NULL)), "mutex misuse"));
	fake.self = 0;
	EXPECT(lp_shim_pthread_mutex_unlock(&m) == 0);
	EXPECT(lp_shim_pthread_mutex_destroy(&m) == 0);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_lock(&m)), "mutex misuse"));
	EXPECT(lp_shim_pthread_mutex_init(&m, NULL) == 0 && lp_shim_pthread_mutex_lock(&m) == 0);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_lock(NULL)), "out of bounds"));

	pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	EXPECT(lp_shim_pthread_mutex_lock(&r) == 0 && lp_shim_pthread_mutex_lock(&r) == 0);
	EXPECT(lp_shim_pthread_mutex_trylock(&r) == 0);
	EXPECT(lp_shim_pthread_mutex_unlock(&r) == 0 && lp_shim_pthread_mutex_unlock(&r) == 0);
	EXPECT(word(&r) == 1);
	EXPECT(lp_shim_pthread_mutex_unlock(&r) == 0 && word(&r) == 0);
	EXPECT(lp_shim_pthread_mutex_unlock(&r) == EPERM);

	pthread_mutexattr_t attr;
	pthread_mutex_t e;
	lp_shim_pthread_mutexattr_init(&attr);
	lp_shim_pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	EXPECT(lp_shim_pthread_mutex_init(&e, &attr) == 0);
	EXPECT(lp_shim_pthread_mutex_unlock(&e) == EPERM);
	EXPECT(lp_shim_pthread_mutex_lock(&e) == 0 && lp_shim_pthread_mutex_lock(&e) == EDEADLK);
	EXPECT(lp_shim_pthread_mutex_trylock(&e) == EBUSY);
	EXPECT(lp_shim_pthread_mutex_unlock(&e) == 0);
}

static void spin_locks(void)
{
	pthread_spinlock_t s;

	lp_shim_pthread_spin_init(&s, 0);
	EXPECT(lp_shim_pthread_spin_lock(&s) == 0 && s == 1);
	EXPECT(lp_shim_pthread_spin_trylock(&s) == EBUSY);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_spin_lock(&s)), "wait"));
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_spin_destroy(&s)), "mutex misuse"));
	EXPECT(lp_shim_pthread_spin_unlock(&s) == 0 && s == 0);
}

static void rwlocks(void)
{
	pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

	EXPECT(lp_shim_pthread_rwlock_rdlock(&l) == 0 && lp_shim_pthread_rwlock_rdlock(&l) == 0);
	fake.self = 1;
	EXPECT(lp_shim_pthread_rwlock_tryrdlock(&l) == 0 && word(&l) == 3);
	EXPECT(lp_shim_pthread_rwlock_trywrlock(&l) == EBUSY);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_rwlock_wrlock(&l)), "wait"));
	EXPECT(lp_shim_pthread_rwlock_unlock(&l) == 0 && word(&l) == 2);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_rwlock_unlock(&l)), "mutex misuse"));
	fake.self = 0;
	EXPECT(lp_shim_pthread_rwlock_unlock(&l) == 0 && lp_shim_pthread_rwlock_unlock(&l) == 0);
	EXPECT(lp_shim_pthread_rwlock_wrlock(&l) == 0 && word(&l) == UINT64_C(1) << 63);
	EXPECT(lp_shim_pthread_rwlock_rdlock(&l) == EDEADLK);
	fake.self = 1;
	EXPECT(lp_shim_pthread_rwlock_tryrdlock(&l) == EBUSY);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_rwlock_rdlock(&l)), "wait"));
	fake_choose(1, (uint32_t[]){ 1 });
	EXPECT(lp_shim_pthread_rwlock_timedwrlock(&l, &soon) == ETIMEDOUT);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_rwlock_init(&l, NULL)), "mutex misuse"));
	fake.self = 0;
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_rwlock_destroy(&l)), "mutex misuse"));
	EXPECT(lp_shim_pthread_rwlock_unlock(&l) == 0 && word(&l) == 0);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_rwlock_unlock(&l)), "mutex misuse"));
	EXPECT(lp_shim_pthread_rwlock_destroy(&l) == 0);
}

/* The set of waiters, wherever it is aligned to in the object. */
static struct lp_value waiters(const pthread_cond_t *c)
{
	struct lp_value v;

	memcpy(&v, (const void *)(((uintptr_t)c + 15) & ~(uintptr_t)15), sizeof v);
	return v;
}

static void wait_as(lp_tid id, pthread_cond_t *c, pthread_mutex_t *m)
{
	fake.self = id;
	EXPECT(lp_shim_pthread_mutex_lock(m) == 0);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_cond_wait(c, m)), "wait"));
	EXPECT(word(m) == 0);
}

/* Was it woken, and is not any more? */
static bool sees_wake_up(lp_tid id)
{
	return (*rt_wake_word(id))-- == 1;
}

static pthread_cond_t *others_cond;

static void wake_all_meanwhile(void)
{
	fake.at_choice = NULL;
	lp_shim_pthread_cond_broadcast(others_cond);
}

/* Choices that were overtaken are of no interest: whom to wake, once all have been
 * woken, and to time out, once woken. */
static void overtaken(pthread_cond_t *c)
{
	static pthread_mutex_t m[3];

	others_cond = c;
	wait_as(70, c, &m[0]);
	wait_as(71, c, &m[1]);
	wait_as(72, c, &m[2]);
	fake_choose(1, (uint32_t[]){ 1 });
	EXPECT(lp_shim_pthread_cond_signal(c) == 0 && waiters(c).hi == (1 << 6 | 1 << 8));
	EXPECT(sees_wake_up(71));
	fake.at_choice = wake_all_meanwhile;
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_cond_signal(c)), "drop") && waiters(c).hi == 0);
	EXPECT(sees_wake_up(70) && sees_wake_up(72) && !*rt_wake_word(71));
	fake.self = 0;
	EXPECT(lp_shim_pthread_mutex_lock(&m[0]) == 0);
	fake_choose(1, (uint32_t[]){ 1 });
	fake.at_choice = wake_all_meanwhile;
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_cond_timedwait(c, &m[0], &soon)), "drop"));
	EXPECT(sees_wake_up(0));
}

static void condition(pthread_cond_t *c)
{
	static pthread_mutex_t m[3];

	EXPECT(lp_shim_pthread_cond_signal(c) == 0 && lp_shim_pthread_cond_broadcast(c) == 0);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_cond_wait(c, &m[0])), "mutex misuse"));
	memset(c, 0, sizeof *c);

	wait_as(0, c, &m[0]);
	wait_as(70, c, &m[1]);
	wait_as(2, c, &m[2]);
	fake.self = 5;
	EXPECT(waiters(c).lo == 5 && waiters(c).hi == 1 << 6);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_cond_destroy(c)), "mutex misuse"));
	fake_choose(2, (uint32_t[]){ 2, 0 });
	EXPECT(lp_shim_pthread_cond_signal(c) == 0); /* the third: thread 70 */
	EXPECT(waiters(c).lo == 5 && waiters(c).hi == 0 && sees_wake_up(70));
	EXPECT(lp_shim_pthread_cond_signal(c) == 0 && waiters(c).lo == 4 && sees_wake_up(0));
	EXPECT(lp_shim_pthread_cond_broadcast(c) == 0 && waiters(c).lo == 0 && sees_wake_up(2));

	/* A timed wait that ends by itself leaves the set and has the mutex. */
	fake.self = 0;
	EXPECT(lp_shim_pthread_mutex_lock(&m[0]) == 0);
	fake_choose(1, (uint32_t[]){ 1 });
	EXPECT(lp_shim_pthread_cond_timedwait(c, &m[0], &soon) == ETIMEDOUT);
	EXPECT(waiters(c).lo == 0 && word(&m[0]) == 1);
	fake.spurious = true;
	fake_choose(1, (uint32_t[]){ 1 });
	EXPECT(lp_shim_pthread_cond_wait(c, &m[0]) == 0 && word(&m[0]) == 1);
	fake.spurious = false;
	EXPECT(lp_shim_pthread_mutex_unlock(&m[0]) == 0);
	overtaken(c);
	EXPECT(lp_shim_pthread_cond_destroy(c) == 0);
}

static void conditions(void)
{
	/* Both alignments that a condition variable can have. */
	static _Alignas(16) struct {
		pthread_cond_t c;
		uint64_t shift;
		pthread_cond_t d;
	} all;

	condition(&all.c);
	condition(&all.d);
}

static void semaphores(void)
{
	sem_t s;
	int value;

	EXPECT(lp_shim_sem_init(&s, 0, 1) == 0);
	EXPECT(lp_shim_sem_wait(&s) == 0);
	EXPECT(lp_shim_sem_trywait(&s) == -1 && *lp_shim___errno_location() == EAGAIN);
	EXPECT(is(FAKE_STOPS(lp_shim_sem_wait(&s)), "wait"));
	fake_choose(1, (uint32_t[]){ 1 });
	EXPECT(lp_shim_sem_timedwait(&s, &soon) == -1 && *lp_shim___errno_location() == ETIMEDOUT);
	EXPECT(lp_shim_sem_post(&s) == 0 && lp_shim_sem_post(&s) == 0);
	fake_choose(1, (uint32_t[]){ 1 });
	EXPECT(is(FAKE_STOPS(lp_shim_sem_timedwait(&s, &soon)), "drop"));
	EXPECT(lp_shim_sem_getvalue(&s, &value) == 0 && value == 2);
	EXPECT(lp_shim_sem_init(&s, 0, INT_MAX) == 0 && lp_shim_sem_post(&s) == -1);
	EXPECT(*lp_shim___errno_location() == EOVERFLOW);
}

static void barriers(void)
{
	pthread_barrier_t b;

	EXPECT(lp_shim_pthread_barrier_init(&b, NULL, 0) == EINVAL);
	EXPECT(lp_shim_pthread_barrier_init(&b, NULL, 2) == 0);
	for (uint64_t round = 0; round < 2; round++) {
		EXPECT(is(FAKE_STOPS(lp_shim_pthread_barrier_wait(&b)), "wait"));
		const struct lp_op *wait = &fake.ops[(fake.op_count - 1) % 4096];
		EXPECT(wait->when == LP_IF_AT_LEAST && wait->value.lo == round + 1);
		EXPECT(lp_shim_pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
	}
}

static int runs;
static void run(void) { runs++; }

static void once(void)
{
	pthread_once_t o = PTHREAD_ONCE_INIT;
	once_flag f = ONCE_FLAG_INIT;
	uint8_t guard[8] = { 0 };

	lp_shim_pthread_once(&o, run);
	lp_shim_pthread_once(&o, run);
	EXPECT(runs == 1 && o == 2);
	lp_shim_call_once(&f, run);
	lp_shim_call_once(&f, run);
	EXPECT(runs == 2);
	o = 1; /* another thread runs the function */
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_once(&o, run)), "wait"));

	EXPECT(lp_shim___cxa_guard_acquire(guard) == 1 && guard[0] == 0);
	EXPECT(is(FAKE_STOPS(lp_shim___cxa_guard_acquire(guard)), "wait"));
	lp_shim___cxa_guard_abort(guard);
	EXPECT(lp_shim___cxa_guard_acquire(guard) == 1);
	lp_shim___cxa_guard_release(guard);
	EXPECT(guard[0] == 1 && lp_shim___cxa_guard_acquire(guard) == 0);
}

static pthread_key_t key;
static uintptr_t destroyed;

static void destroy(void *value)
{
	destroyed = 10 * destroyed + (uintptr_t)value;
	if (value == (void *)7)
		lp_shim_pthread_setspecific(key, (void *)8); /* seen in the next round */
}

static void *with_values(void *arg)
{
	EXPECT(lp_shim_pthread_getspecific(key) == NULL);
	EXPECT(lp_shim_pthread_setspecific(key, arg) == 0);
	EXPECT(lp_shim_pthread_getspecific(key) == arg);
	lp_shim___cxa_thread_atexit(destroy, (void *)1, NULL);
	lp_shim___cxa_thread_atexit(destroy, (void *)2, NULL);
	return (void *)(lp_shim_pthread_self() + 100);
}

static void keys(void)
{
	pthread_t t;
	tss_t other;

	EXPECT(lp_shim_pthread_key_create(&key, destroy) == 0);
	EXPECT(lp_shim_tss_create(&other, NULL) == thrd_success && other != key);
	EXPECT(lp_shim_pthread_setspecific(key, (void *)5) == 0);
	EXPECT(lp_shim_pthread_create(&t, NULL, with_values, (void *)7) == 0);
	EXPECT(destroyed == 2178); /* thread-locals backwards, then the key's value twice */
	EXPECT(lp_shim_pthread_getspecific(key) == (void *)5 && lp_shim_tss_get(other) == NULL);
	EXPECT(lp_shim_pthread_key_delete(key) == 0 && lp_shim_pthread_key_delete(key) == EINVAL);
	EXPECT(lp_shim_pthread_setspecific(key, &t) == EINVAL);
	EXPECT(lp_shim_pthread_setspecific(63, &t) == EINVAL);
}

static void *leave(void *arg)
{
	lp_shim_pthread_exit(arg);
	return NULL;
}

static int cleaned;

/* What pthread_cleanup_push() expands to. */
static void *leave_cleanly(void *arg)
{
	__pthread_unwind_buf_t outer, inner;

	if (sigsetjmp((struct __jmp_buf_tag *)(void *)&outer, 0)) {
		cleaned = 10 * cleaned + 1;
		lp_shim___pthread_unwind_next(&outer);
	}
	lp_shim___pthread_register_cancel(&outer);
	if (sigsetjmp((struct __jmp_buf_tag *)(void *)&inner, 0)) {
		cleaned = 10 * cleaned + 2;
		lp_shim___pthread_unwind_next(&inner);
	}
	lp_shim___pthread_register_cancel(&inner);
	lp_shim_pthread_exit(arg);
	return NULL;
}

static int half(void *arg)
{
	return (int)(intptr_t)arg / -2;
}

static void threads(void)
{
	pthread_t t;
	pthread_attr_t attr;
	thrd_t c11;
	void *result;
	int number;

	EXPECT(lp_shim_pthread_self() == 1);
	EXPECT(lp_shim_pthread_create(&t, NULL, leave, (void *)42) == 0 && t == fake.threads);
	EXPECT(lp_shim_pthread_join(t, &result) == 0 && result == (void *)42);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_join(t, NULL)), "thread misuse"));
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_detach(t)), "thread misuse"));
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_join(1, NULL)), "thread misuse")); /* itself */
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_join(77, NULL)), "thread misuse"));
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_join(0, NULL)), "thread misuse"));
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_cancel(t)), "unsupported"));

	lp_shim_pthread_create(&t, NULL, leave_cleanly, (void *)43);
	EXPECT(lp_shim_pthread_join(t, &result) == 0 && result == (void *)43 && cleaned == 21);

	lp_shim_pthread_attr_init(&attr);
	lp_shim_pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	lp_shim_pthread_create(&t, &attr, leave, NULL);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_join(t, NULL)), "thread misuse"));

	EXPECT(lp_shim_thrd_create(&c11, half, (void *)8) == thrd_success);
	EXPECT(lp_shim_thrd_join(c11, &number) == thrd_success && number == -4);
	t = lp_shim___VERIFIER_spawn_symmetric(leave, (void *)9, t);
	EXPECT(lp_shim_pthread_join(t, &result) == 0 && result == (void *)9);
}

static void c11_mutexes(void)
{
	mtx_t m;
	cnd_t c;

	memset(&c, 0, sizeof c);
	EXPECT(lp_shim_mtx_init(&m, mtx_plain) == thrd_success);
	EXPECT(lp_shim_mtx_lock(&m) == thrd_success && lp_shim_mtx_trylock(&m) == thrd_busy);
	EXPECT(lp_shim_mtx_unlock(&m) == thrd_success);
	EXPECT(lp_shim_mtx_init(&m, mtx_plain | mtx_recursive) == thrd_success);
	EXPECT(lp_shim_mtx_lock(&m) == thrd_success && lp_shim_mtx_lock(&m) == thrd_success);
	EXPECT(lp_shim_cnd_signal(&c) == thrd_success);
}

/* A waiter that finds the value changed goes on at once; otherwise it sleeps until
 * it is woken, and wakers say how many they woke. */
static void futexes(void)
{
	static uint32_t f = 1;
	uint32_t *const at = &f;

	EXPECT(lp_shim_syscall(SYS_futex, at, FUTEX_WAIT, 2, NULL) == -1);
	EXPECT(*lp_shim___errno_location() == EAGAIN);
	EXPECT(lp_shim_syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, 1) == 0);
	for (fake.self = 1; fake.self < 4; fake.self++)
		EXPECT(is(FAKE_STOPS(lp_shim_syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, 1, NULL)), "wait"));
	fake.self = 0;
	EXPECT(lp_shim_syscall(SYS_futex, at, FUTEX_WAKE, 1) == 1);
	EXPECT(lp_shim_syscall(SYS_futex, at, FUTEX_WAKE, INT_MAX) == 2);
	EXPECT(is(FAKE_STOPS(lp_shim_syscall(SYS_getuid)), "unsupported"));
}

static void heap(void)
{
	char *p = lp_shim_malloc(10), *q;
	void *r;

	EXPECT((uintptr_t)p % 16 == 0 && lp_shim_malloc_usable_size(p) == 10);
	memcpy(p, "123456789", 10);
	fake_forget();
	q = lp_shim_realloc(p, 20);
	EXPECT(fake.access_count == 2 && fake.accesses[0].loc == (uintptr_t)p &&
	      fake.accesses[0].size == 10 && fake.accesses[1].size == 10);
	EXPECT(q != p && !strcmp(q, "123456789") && !rt_heap_live(p) && rt_heap_size(q) == 20);
	p = lp_shim_realloc(q, 4);
	EXPECT(!memcmp(p, "1234", 4) && rt_heap_size(p) == 4);
	EXPECT(is(FAKE_STOPS(lp_shim_realloc(q, 9)), "double free"));
	EXPECT(lp_shim_realloc(p, 0) == NULL && !rt_heap_live(p));
	EXPECT(is(FAKE_STOPS(lp_shim_free(p)), "double free"));
	EXPECT(is(FAKE_STOPS(lp_shim_free(&p)), "invalid free"));
	EXPECT(!FAKE_STOPS(lp_shim_free(NULL)));

	p = lp_shim_calloc(3, 5);
	for (int i = 0; i < 15; i++)
		EXPECT(p[i] == 0);
	volatile size_t huge = SIZE_MAX / 2;
	EXPECT(lp_shim_calloc(huge, 3) == NULL && *lp_shim___errno_location() == ENOMEM);
	EXPECT(lp_shim_malloc(huge + 2) == NULL && lp_shim_reallocarray(NULL, huge, 4) == NULL);
	EXPECT((uintptr_t)lp_shim_aligned_alloc(256, 512) % 256 == 0);
	EXPECT(lp_shim_posix_memalign(&r, 3, 1) == EINVAL);
	EXPECT(lp_shim_posix_memalign(&r, 64, (size_t)1 << 48) == ENOMEM); /* as malloc() of as much */
	EXPECT(lp_shim_posix_memalign(&r, 64, 1) == 0 && (uintptr_t)r % 64 == 0);
	EXPECT((uintptr_t)lp_shim__ZnwmSt11align_val_t(8, 128) % 128 == 0);
	p = lp_shim__Znwm(0);
	EXPECT(rt_heap_live(p));
	lp_shim__ZdlPv(p);
	EXPECT(!rt_heap_live(p));

	pthread_mutex_t *m = lp_shim_malloc(sizeof *m);
	lp_shim_pthread_mutex_init(m, NULL);
	lp_shim_free(m);
	EXPECT(is(FAKE_STOPS(lp_shim_pthread_mutex_lock(m)), "use after free"));
}

/* What is exported under its own name, for libstdc++ to call. */
static void library(void)
{
	char *p = _Znwm(8);
	char *e = __cxa_allocate_exception(8);

	EXPECT(rt_heap_live(p) && word(p) == 0); /* counts as initialised */
	_ZdlPv(p);
	EXPECT(!rt_heap_live(p));
	p = malloc(8);
	_ZdlPv(p); /* made before there was a program */
	EXPECT(rt_heap_live(e - 128) && word(e - 128) == 0);
	__cxa_free_exception(e);
	EXPECT(!rt_heap_live(e - 128));
	const void *mine = __cxa_get_globals();
	EXPECT(mine == __cxa_get_globals());
	fake.self = 1;
	EXPECT(mine != __cxa_get_globals());
	fake.self = 0;
	EXPECT(__libc_single_threaded == 0);
}

static int handlers;
static void handler_1(void) { handlers = 10 * handlers + 1; }
static void handler_2(void) { handlers = 10 * handlers + 2; }

static void endings(void)
{
	EXPECT(is(FAKE_STOPS(lp_shim_abort()), "assertion"));
	EXPECT(is(FAKE_STOPS(lp_shim___assert_fail("x == 1", "a/b.c", 3, "f")), "assertion"));
	EXPECT(!strcmp(fake.text, "b.c:3: f: assertion 'x == 1' failed"));
	EXPECT(is(FAKE_STOPS(lp_shim___VERIFIER_assume(0)), "block"));
	EXPECT(!FAKE_STOPS(lp_shim___VERIFIER_assume(1)));

	lp_shim_atexit(handler_1);
	lp_shim_atexit(handler_2);
	EXPECT(is(FAKE_STOPS(lp_shim_exit(3)), "finish") && fake.status == 3 && handlers == 21);
	lp_shim_atexit(handler_1);
	EXPECT(is(FAKE_STOPS(lp_shim__exit(4)), "finish") && fake.status == 4 && handlers == 21);
	lp_shim_atexit(handler_1);
	lp_shim_at_quick_exit(handler_2);
	EXPECT(is(FAKE_STOPS(lp_shim_quick_exit(5)), "finish") && handlers == 212);
}

static void choices(void)
{
	fake.lo = -1;
	fake.hi = 2;
	fake_choose(5, (uint32_t[]){ 0, 3, 2, 1, 3 });
	EXPECT(lp_shim___VERIFIER_nondet_int() == -1 && lp_shim___VERIFIER_nondet_int() == 2);
	EXPECT(lp_shim___VERIFIER_nondet_uint() == 2); /* of 0, 1, 2 */
	EXPECT(lp_shim___VERIFIER_nondet_bool());
	EXPECT(is(FAKE_STOPS(lp_shim___VERIFIER_nondet_uint()), "choice out of range"));
	fake.lo = fake.hi = -5;
	EXPECT(lp_shim___VERIFIER_nondet_int() == -5);
	EXPECT(is(FAKE_STOPS(lp_shim___VERIFIER_nondet_uint()), "unsupported"));
}

static void time_and_chance(void)
{
	fake_forget();
	lp_shim_sched_yield();
	lp_shim_usleep(5);
	EXPECT(fake.op_count == 2 && fake.ops[0].kind == LP_OP_YIELD && fake.ops[1].kind == LP_OP_YIELD);
	/* Fixed: one clock for all threads, a sequence of numbers for each; both are noted. */
	const time_t now = lp_shim_time(NULL);
	fake.self = 1;
	EXPECT(lp_shim_time(NULL) == now + 1);
	fake.self = 0;
	EXPECT(lp_shim_time(NULL) == now + 2 && fake.uses[RT_USE_FIXED] == 3);
	lp_shim_srand(1);
	const int first = lp_shim_rand();
	EXPECT(first >= 0 && lp_shim_rand() != first && fake.uses[RT_USE_FIXED] == 5);
	lp_shim_srand(1);
	EXPECT(lp_shim_rand() == first);
	lp_shim_srand(0);
	/* Not looked at: nothing to be noted. */
	fake.ignores = true;
	lp_shim_rand();
	lp_shim_time(NULL);
	EXPECT(fake.uses[RT_USE_FIXED] == 6 && !fake.uses[RT_USE_RANGE]);
	fake.ignores = false;
	/* Chosen: the clock advances by the number. */
	fake.given = true;
	fake.lo = 0;
	fake.hi = 3;
	fake_choose(6, (const uint32_t[]){ 2, 3, 0, 1, 2, 0 });
	EXPECT(lp_shim_rand() == 2);
	EXPECT(lp_shim_time(NULL) == now + 5 && lp_shim_time(NULL) == now + 5 && lp_shim_time(NULL) == now + 6);
	const pid_t process = lp_shim_getpid(); /* from 1 on, and the same for all */
	EXPECT(process == 3);
	fake.self = 1;
	EXPECT(lp_shim_getpid() == process);
	fake.self = 0;
	EXPECT(fake.uses[RT_USE_RANGE] == 6);
	lp_shim_srand(1);
	EXPECT(is(FAKE_STOPS(lp_shim_srand(1)), "unsupported"));
	fake.given = false;
}

int main(void)
{
	mutexes();
	spin_locks();
	rwlocks();
	conditions();
	semaphores();
	barriers();
	once();
	keys();
	threads();
	c11_mutexes();
	futexes();
	heap();
	library();
	endings();
	choices();
	time_and_chance();
	return expect_status() | test_table() | test_text();
}
