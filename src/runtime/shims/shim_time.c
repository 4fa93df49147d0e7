/* shim_time.c -- clocks and sleeping.
 *
 * Sleeping is yielding: a program must not rely on time for its order.  There is one clock,
 * in a word that all threads read and advance by operations, so that a thread never sees it go
 * back.  A thread that asks for the time advances the clock by a number of seconds from --nondet,
 * which may be 0.  Without --nondet it advances the clock by one second, so that waiting for a time
 * ends, and reports say that other times were not tried.
 */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <poll.h>
#include <sched.h>
#include <sys/select.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

#define SECOND INT64_C(1000000000)
#define EPOCH INT64_C(1600000000)

enum { LONGEST = 1000000 }; /* the most seconds between two reads of the clock */

/* Never written: its address names memory from rt_own_state(). */
static const char clock_owner;

/* The time in nanoseconds, which the shim returns, and writes to `to` unless that is NULL. */
static int64_t now(const struct shim_site *at, const void *to)
{
	const enum shim_source source = shim_source(at, to);

	if (source == SHIM_IGNORED)
		return EPOCH * SECOND;
	if (rt_compared())
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s(): a clock that advances makes the number of states infinite", at->name);
	uint64_t *word = rt_own_state(&clock_owner, sizeof *word);
	*shim_word(SHIM_WORD_CLOCK) = 1;
	const int64_t by = source == SHIM_CHOSEN ? shim_choose(at, 0, LONGEST) : 1;
	const struct lp_value before =
		by ? shim_rmw(at, word, sizeof *word, SHIM_ADD(lp_value((uint64_t)by)), LP_RLX,
			      SHIM_ALWAYS).value :
		     shim_load(at, word, sizeof *word, LP_RLX);
	LP_HOLDS(by >= 0 && by <= LONGEST && before.lo < INT64_MAX / SECOND - EPOCH - LONGEST); /* otherwise the
	                                                                                         * clock overflows */
	return (EPOCH + (int64_t)before.lo + by) * SECOND;
}

void shim_time_is_up(const struct shim_site *at, const struct timespec *until)
{
	if (rt_compared() || !*shim_word(SHIM_WORD_CLOCK))
		return;
	uint64_t *word = rt_own_state(&clock_owner, sizeof *word);
	const int64_t passed = (int64_t)shim_load(at, word, sizeof *word, LP_RLX).lo;
	LP_HOLDS(passed >= 0); /* the clock only advances */
	const int64_t due = until->tv_sec - EPOCH + (until->tv_nsec > 0);
	if (due > passed && due - passed <= LONGEST)
		shim_rmw(at, word, sizeof *word, SHIM_ADD(lp_value((uint64_t)(due - passed))), LP_RLX, SHIM_ALWAYS);
}

static void write_time(struct timespec *to, int64_t ns, uintptr_t pc)
{
	const struct timespec time = { .tv_sec = ns / SECOND, .tv_nsec = ns % SECOND };

	LP_HOLDS(ns >= EPOCH * SECOND);
	rt_write(to, &time, sizeof time, pc);
}

LP_API time_t lp_shim_time(time_t *to)
{
	const time_t seconds = now(SHIM_AT, to) / SECOND;

	if (to)
		RT_WRITE(to, seconds, RT_PC);
	return seconds;
}

LP_API clock_t lp_shim_clock(void)
{
	return (clock_t)((now(SHIM_AT, NULL) / SECOND - EPOCH) * CLOCKS_PER_SEC);
}

LP_API int lp_shim_clock_gettime(clockid_t clock, struct timespec *to)
{
	const int64_t time = now(SHIM_AT, to);

	(void)clock;
	write_time(to, time, RT_PC);
	return 0;
}

LP_API int lp_shim_clock_getres(clockid_t clock, struct timespec *to)
{
	(void)clock;
	if (to)
		RT_WRITE(to, .tv_nsec = 1, RT_PC);
	return 0;
}

LP_API int lp_shim_timespec_get(struct timespec *to, int base)
{
	const int64_t time = now(SHIM_AT, to);

	write_time(to, time, RT_PC);
	return base;
}

LP_API int lp_shim_gettimeofday(struct timeval *to, void *zone)
{
	const int64_t time = now(SHIM_AT, to);

	(void)zone;
	RT_WRITE(to, .tv_sec = time / SECOND, RT_PC);
	return 0;
}

/* std::chrono: counts of nanoseconds. */
LP_API int64_t lp_shim__ZNSt6chrono3_V212system_clock3nowEv(void)
{
	return now(SHIM_NAMED("std::chrono::system_clock::now"), NULL);
}

LP_API int64_t lp_shim__ZNSt6chrono3_V212steady_clock3nowEv(void)
{
	return now(SHIM_NAMED("std::chrono::steady_clock::now"), NULL);
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
	const struct shim_site *at = SHIM_AT;

	(void)rest;
	rt_read(time, sizeof *time, at->pc);
	shim_yield(at);
	return 0;
}

LP_API int lp_shim_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
				   struct timespec *rest)
{
	const struct shim_site *at = SHIM_AT;

	(void)clock, (void)flags, (void)rest;
	rt_read(time, sizeof *time, at->pc);
	shim_yield(at);
	return 0;
}

LP_API int lp_shim_thrd_sleep(const struct timespec *time, struct timespec *rest)
{
	(void)time, (void)rest;
	shim_yield(SHIM_AT);
	return 0;
}

/* Without files, poll() and select() only sleep. */
LP_API int lp_shim_poll(struct pollfd *files, nfds_t count, int ms)
{
	const struct shim_site *at = SHIM_AT;

	(void)files;
	if (count || ms < 0)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() that waits for files or signals is not modelled", at->name);
	shim_yield(at);
	return 0;
}

LP_API int lp_shim_select(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *time)
{
	const struct shim_site *at = SHIM_AT;

	if ((count && (reads || writes || others)) || !time)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() that waits for files or signals is not modelled", at->name);
	rt_read(time, sizeof *time, at->pc);
	shim_yield(at);
	RT_WRITE(time, .tv_sec = 0, RT_PC); /* the remaining time */
	return 0;
}
