/* shim_time.c -- time, chance and identity, which must be the same in every run.
 *
 * Sleeping is yielding: a program may not rely on time for its order.  Clocks are
 * each thread's own and advance by a second whenever they are asked, so that
 * waiting for a time to come ends.
 */
#define _GNU_SOURCE
#include "runtime/shim.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"

#define SECOND INT64_C(1000000000)
#define EPOCH INT64_C(1600000000)

enum { PROCESS_ID = 1000, CPUS = 2 };

int64_t shim_clock(void)
{
	return (EPOCH + (int64_t)++*shim_word(SHIM_WORD_CLOCK)) * SECOND;
}

static struct timespec timespec_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / SECOND, .tv_nsec = ns % SECOND };
}

LP_API time_t lp_shim_time(time_t *to)
{
	const time_t now = shim_clock() / SECOND;

	if (to) {
		rt_plain(to, sizeof *to, true, RT_PC);
		*to = now;
	}
	return now;
}

LP_API clock_t lp_shim_clock(void)
{
	return (clock_t)((shim_clock() / SECOND - EPOCH) * CLOCKS_PER_SEC);
}

LP_API int lp_shim_clock_gettime(clockid_t clock, struct timespec *to)
{
	(void)clock;
	rt_plain(to, sizeof *to, true, RT_PC);
	*to = timespec_of(shim_clock());
	return 0;
}

LP_API int lp_shim_clock_getres(clockid_t clock, struct timespec *to)
{
	(void)clock;
	if (to) {
		rt_plain(to, sizeof *to, true, RT_PC);
		*to = timespec_of(1);
	}
	return 0;
}

LP_API int lp_shim_timespec_get(struct timespec *to, int base)
{
	rt_plain(to, sizeof *to, true, RT_PC);
	*to = timespec_of(shim_clock());
	return base;
}

LP_API int lp_shim_gettimeofday(struct timeval *to, void *zone)
{
	(void)zone;
	rt_plain(to, sizeof *to, true, RT_PC);
	*to = (struct timeval){ .tv_sec = shim_clock() / SECOND };
	return 0;
}

/* std::chrono: counts of nanoseconds. */
LP_API int64_t lp_shim__ZNSt6chrono3_V212system_clock3nowEv(void)
{
	return shim_clock();
}

LP_API int64_t lp_shim__ZNSt6chrono3_V212steady_clock3nowEv(void)
{
	return shim_clock();
}

LP_API int lp_shim_sched_yield(void)
{
	shim_yield(SHIM_AT);
	return 0;
}

LP_API int lp_shim_pthread_yield(void)
{
	shim_yield(SHIM_AT);
	return 0;
}

LP_API void lp_shim_thrd_yield(void)
{
	shim_yield(SHIM_AT);
}

LP_API unsigned lp_shim_sleep(unsigned seconds)
{
	(void)seconds;
	shim_yield(SHIM_AT);
	return 0;
}

LP_API int lp_shim_usleep(useconds_t us)
{
	(void)us;
	shim_yield(SHIM_AT);
	return 0;
}

LP_API int lp_shim_nanosleep(const struct timespec *time, struct timespec *rest)
{
	(void)time, (void)rest;
	shim_yield(SHIM_AT);
	return 0;
}

LP_API int lp_shim_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
				   struct timespec *rest)
{
	(void)clock, (void)flags, (void)time, (void)rest;
	shim_yield(SHIM_AT);
	return 0;
}

LP_API int lp_shim_thrd_sleep(const struct timespec *time, struct timespec *rest)
{
	(void)time, (void)rest;
	shim_yield(SHIM_AT);
	return 0;
}

/* One sequence a thread: another thread's calls cannot change what it draws. */
static uint64_t draw(uint64_t *state)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	return lp_mix(*state);
}

LP_API int lp_shim_rand(void)
{
	return (int)(draw(shim_word(SHIM_WORD_RANDOM)) >> 33);
}

LP_API long lp_shim_random(void)
{
	return (long)(draw(shim_word(SHIM_WORD_RANDOM)) >> 33);
}

LP_API long lp_shim_lrand48(void)
{
	return (long)(draw(shim_word(SHIM_WORD_RANDOM)) >> 33);
}

LP_API double lp_shim_drand48(void)
{
	return (double)(draw(shim_word(SHIM_WORD_RANDOM)) >> 11) * 0x1p-53;
}

LP_API void lp_shim_srand(unsigned seed)
{
	*shim_word(SHIM_WORD_RANDOM) = seed;
}

LP_API void lp_shim_srandom(unsigned seed)
{
	*shim_word(SHIM_WORD_RANDOM) = seed;
}

LP_API void lp_shim_srand48(long seed)
{
	*shim_word(SHIM_WORD_RANDOM) = (uint64_t)seed;
}

LP_API int lp_shim_rand_r(unsigned *seed)
{
	const uintptr_t pc = RT_PC;

	rt_plain(seed, sizeof *seed, false, pc);
	const uint64_t next = lp_mix(*seed + UINT64_C(0x9e3779b97f4a7c15));
	rt_plain(seed, sizeof *seed, true, pc);
	*seed = (unsigned)next;
	return (int)(next >> 33);
}

LP_API pid_t lp_shim_getpid(void)
{
	return PROCESS_ID;
}

LP_API pid_t lp_shim_getppid(void)
{
	return PROCESS_ID - 1;
}

LP_API pid_t lp_shim_gettid(void)
{
	return PROCESS_ID + (pid_t)rt_self();
}

/* As many CPUs on every machine. */
LP_API long lp_shim_sysconf(int name)
{
	return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? CPUS : sysconf(name);
}

LP_API int lp_shim_get_nprocs(void)
{
	return CPUS;
}

LP_API int lp_shim_get_nprocs_conf(void)
{
	return CPUS;
}
