/* shim_pthread_attr.c -- attributes, names, priorities and CPUs of threads.
 *
 * Attribute objects are plain data that glibc itself reads and writes; the shims only report the
 * accesses.  Attributes that do not change the possible executions (names, scheduling, affinity,
 * stack sizes) are accepted and have no effect.
 */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "base/error.h"

/* Reads an attribute object, has it changed, and writes it. */
#define CHANGE(attr, change)                                      \
	const uintptr_t pc = RT_PC;                               \
	rt_read(attr, sizeof *attr, pc);                          \
	__typeof__(*attr) changed = *attr;                        \
	const int error = change;                                 \
	rt_write(attr, &changed, sizeof changed, pc);             \
	return error

/* A new attribute object is written, a deleted or changed one read and written. */
#define ATTR_OPEN(type, name)                                     \
	LP_API int lp_shim_##name(type *attr)                     \
	{                                                         \
		type made = { 0 };                                \
		const int error = name(&made);                    \
		LP_HOLDS(!error); /* `made` is an object */       \
		rt_write(attr, &made, sizeof made, RT_PC);        \
		return error;                                     \
	}

#define ATTR_CLOSE(type, name)                                    \
	LP_API int lp_shim_##name(type *attr)                     \
	{                                                         \
		CHANGE(attr, name(&changed));                     \
	}

#define ATTR_SET(type, name, value_type)                          \
	LP_API int lp_shim_##name(type *attr, value_type value)   \
	{                                                         \
		CHANGE(attr, name(&changed, value));              \
	}

#define ATTR_GET(type, name, value_type)                                      \
	LP_API int lp_shim_##name(const type *attr, value_type *value)        \
	{                                                                     \
		value_type got;                                               \
		rt_read(attr, sizeof *attr, RT_PC);                           \
		const int error = name(attr, &got);                           \
		if (!error)                                                   \
			rt_write(value, &got, sizeof got, RT_PC);             \
		return error;                                                 \
	}

ATTR_OPEN(pthread_attr_t, pthread_attr_init)
ATTR_CLOSE(pthread_attr_t, pthread_attr_destroy)
ATTR_SET(pthread_attr_t, pthread_attr_setdetachstate, int)
ATTR_GET(pthread_attr_t, pthread_attr_getdetachstate, int)
ATTR_SET(pthread_attr_t, pthread_attr_setstacksize, size_t)
ATTR_GET(pthread_attr_t, pthread_attr_getstacksize, size_t)
ATTR_SET(pthread_attr_t, pthread_attr_setguardsize, size_t)
ATTR_GET(pthread_attr_t, pthread_attr_getguardsize, size_t)
ATTR_SET(pthread_attr_t, pthread_attr_setscope, int)
ATTR_GET(pthread_attr_t, pthread_attr_getscope, int)
ATTR_SET(pthread_attr_t, pthread_attr_setinheritsched, int)
ATTR_GET(pthread_attr_t, pthread_attr_getinheritsched, int)
ATTR_SET(pthread_attr_t, pthread_attr_setschedpolicy, int)
ATTR_GET(pthread_attr_t, pthread_attr_getschedpolicy, int)
ATTR_SET(pthread_attr_t, pthread_attr_setschedparam, const struct sched_param *)
ATTR_GET(pthread_attr_t, pthread_attr_getschedparam, struct sched_param)

ATTR_OPEN(pthread_mutexattr_t, pthread_mutexattr_init)
ATTR_CLOSE(pthread_mutexattr_t, pthread_mutexattr_destroy)
ATTR_SET(pthread_mutexattr_t, pthread_mutexattr_settype, int)
ATTR_GET(pthread_mutexattr_t, pthread_mutexattr_gettype, int)
ATTR_SET(pthread_mutexattr_t, pthread_mutexattr_setpshared, int)
ATTR_GET(pthread_mutexattr_t, pthread_mutexattr_getpshared, int)
ATTR_SET(pthread_mutexattr_t, pthread_mutexattr_setprotocol, int)
ATTR_GET(pthread_mutexattr_t, pthread_mutexattr_getprotocol, int)
ATTR_SET(pthread_mutexattr_t, pthread_mutexattr_setprioceiling, int)
ATTR_GET(pthread_mutexattr_t, pthread_mutexattr_getprioceiling, int)

LP_API int lp_shim_pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int value)
{
	if (value != PTHREAD_MUTEX_STALLED)
		rt_error(LP_ERROR_UNSUPPORTED, RT_PC, NULL, "robust mutexes");
	CHANGE(attr, pthread_mutexattr_setrobust(&changed, value));
}

ATTR_GET(pthread_mutexattr_t, pthread_mutexattr_getrobust, int)

ATTR_OPEN(pthread_rwlockattr_t, pthread_rwlockattr_init)
ATTR_CLOSE(pthread_rwlockattr_t, pthread_rwlockattr_destroy)
ATTR_SET(pthread_rwlockattr_t, pthread_rwlockattr_setpshared, int)
ATTR_GET(pthread_rwlockattr_t, pthread_rwlockattr_getpshared, int)

/* With it a thread that reads may wait for a writer that waits for the same thread. */
LP_API int lp_shim_pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int value)
{
	if (value == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
		rt_error(LP_ERROR_UNSUPPORTED, RT_PC, NULL, "read-write locks that prefer writers");
	CHANGE(attr, pthread_rwlockattr_setkind_np(&changed, value));
}

ATTR_GET(pthread_rwlockattr_t, pthread_rwlockattr_getkind_np, int)

ATTR_OPEN(pthread_condattr_t, pthread_condattr_init)
ATTR_CLOSE(pthread_condattr_t, pthread_condattr_destroy)
ATTR_SET(pthread_condattr_t, pthread_condattr_setpshared, int)
ATTR_GET(pthread_condattr_t, pthread_condattr_getpshared, int)
ATTR_SET(pthread_condattr_t, pthread_condattr_setclock, clockid_t)
ATTR_GET(pthread_condattr_t, pthread_condattr_getclock, clockid_t)

ATTR_OPEN(pthread_barrierattr_t, pthread_barrierattr_init)
ATTR_CLOSE(pthread_barrierattr_t, pthread_barrierattr_destroy)
ATTR_SET(pthread_barrierattr_t, pthread_barrierattr_setpshared, int)
ATTR_GET(pthread_barrierattr_t, pthread_barrierattr_getpshared, int)

LP_API int lp_shim_pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size)
{
	(void)stack, (void)size; /* threads run on stacks of linchpin */
	CHANGE(attr, 0);
}

LP_API int lp_shim_pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size,
					       const cpu_set_t *cpus)
{
	(void)size, (void)cpus;
	CHANGE(attr, 0);
}

LP_API int lp_shim_pthread_setname_np(pthread_t thread, const char *name)
{
	(void)thread, (void)name;
	return 0;
}

LP_API int lp_shim_pthread_getname_np(pthread_t thread, char *name, size_t size)
{
	(void)thread;
	if (size < 1)
		return ERANGE;
	rt_fill(name, 0, 1, RT_PC);
	return 0;
}

LP_API int lp_shim_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *cpus)
{
	(void)thread, (void)size, (void)cpus;
	return 0;
}

LP_API int lp_shim_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *cpus)
{
	(void)pid, (void)size, (void)cpus;
	return 0;
}

/* Reports two CPUs on every machine. */
static int two_cpus(cpu_set_t *cpus, size_t size, uintptr_t pc)
{
	rt_note_use(RT_USE_GIVEN, "2 processors", 0);
	if (!size)
		return EINVAL;
	rt_fill(cpus, 3, 1, pc);
	rt_fill((char *)cpus + 1, 0, size - 1, pc);
	return 0;
}

LP_API int lp_shim_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *cpus)
{
	(void)thread;
	return two_cpus(cpus, size, RT_PC);
}

LP_API int lp_shim_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *cpus)
{
	(void)pid;
	return two_cpus(cpus, size, RT_PC);
}

LP_API int lp_shim_pthread_setschedparam(pthread_t thread, int policy,
					 const struct sched_param *param)
{
	(void)thread, (void)policy, (void)param;
	return 0;
}

LP_API int lp_shim_pthread_setschedprio(pthread_t thread, int priority)
{
	(void)thread, (void)priority;
	return 0;
}

LP_API int lp_shim_pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *param)
{
	(void)thread;
	RT_WRITE(policy, SCHED_OTHER, RT_PC);
	rt_fill(param, 0, sizeof *param, RT_PC);
	return 0;
}

LP_API int lp_shim_pthread_setconcurrency(int level)
{
	(void)level;
	return 0;
}

LP_API int lp_shim_pthread_getconcurrency(void)
{
	return 0;
}
