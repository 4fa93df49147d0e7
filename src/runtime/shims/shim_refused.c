/* shim_refused.c -- calls that must not take place: processes, signals.
 *
 * Other functions that are not modelled are named when the program is built, and then run.  The
 * functions here would affect linchpin instead of the program (end it, replace it, fork it), so
 * they end the execution without a verdict.
 */
#include "runtime/shims/shim.h"

#include <signal.h>

static _Noreturn void refuse(const struct shim_site *at)
{
	rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() is not modelled", at->name);
}

#define REFUSED(name)                                      \
	LP_API _Noreturn void lp_shim_##name(void);        \
	LP_API _Noreturn void lp_shim_##name(void)         \
	{                                                  \
		refuse(SHIM_AT);                           \
	}

REFUSED(fork)
REFUSED(vfork)
REFUSED(clone)
REFUSED(execl)
REFUSED(execle)
REFUSED(execlp)
REFUSED(execv)
REFUSED(execve)
REFUSED(execvp)
REFUSED(system)
REFUSED(popen)
REFUSED(posix_spawn)
REFUSED(posix_spawnp)
REFUSED(wait)
REFUSED(waitpid)
REFUSED(kill)
REFUSED(killpg)
REFUSED(tgkill)
REFUSED(sigqueue)
REFUSED(signal)
REFUSED(sigaction)
REFUSED(sigprocmask)
REFUSED(pthread_sigmask)
REFUSED(sigsuspend)
REFUSED(sigwait)
REFUSED(sigaltstack)
REFUSED(pause)
REFUSED(alarm)
REFUSED(setitimer)
REFUSED(timer_create)
REFUSED(setrlimit)
REFUSED(prctl)
REFUSED(ptrace)
REFUSED(dlopen)

/* There are no handlers, see above: most signals end the program. */
LP_API int lp_shim_raise(int sig)
{
	if (sig == 0)
		return 0;
	if (sig == SIGABRT)
		rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "raise(SIGABRT) was called");
	rt_error(LP_ERROR_CRASH, RT_PC, NULL, "raise() of signal %d", sig);
}
