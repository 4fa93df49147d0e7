/* signals.c -- errors of the program that the processor detects, and the watch on endless loops.
 *
 * Handlers run on a stack of their own (the thread's may be full) and are left by
 * switching to the explorer: the coroutine is abandoned where it was.  No signal is
 * masked meanwhile (SA_NODEFER), so there is no mask to be put back.
 *
 * A timer on the CPU time of the process notices a thread that computes without calling any hook: for a
 * while there was no operation and no access, and the same thread has run without a break.  If the thread
 * comes back to the same state, it goes on forever (computing.h).  If it does not, but takes too long,
 * there is no verdict.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/error.h"
#include "runtime/computing.h"
#include "runtime/coroutines/context.h"
#include "runtime/memory/heap.h"

static const int caught[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGVTALRM };
enum { CAUGHT = sizeof caught / sizeof *caught, TICK_MS = 250, SUSPICIOUS = 1 /* ticks: before every limit */, LONGEST_INSTRUCTION = 15 };

static struct {
	bool open, forks_watched;
	struct sigaction before[CAUGHT];
	void *stack;
	size_t stack_size;
	uint64_t progress, budget; /* their values at the last tick */
	unsigned idle;             /* ticks without a change */
	bool out_of_budget;        /* the thread is watched because of too many plain accesses */
	uintptr_t last;            /* the last place seen while the thread is watched (computing.h) */
	uintptr_t lowest;          /* the lowest such place in the user's code */
} signals;

static uintptr_t pc_of(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
	return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static uintptr_t sp_of(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
	return (uintptr_t)context->uc_mcontext.sp;
#endif
}

/* The innermost return address into the user's code, if the processor's conventions define where it
 * is.  On aarch64 it is in x30 for a function that calls no others, or in one of the frame records to
 * which x29 leads.  Other addresses on the stack may be left over from earlier calls. */
static uintptr_t return_address(const ucontext_t *context, uintptr_t low, uintptr_t end)
{
#if defined(__aarch64__)
	uintptr_t found = (uintptr_t)context->uc_mcontext.regs[30];
	uintptr_t record = (uintptr_t)context->uc_mcontext.regs[29], before = low;

	while (!lp_object_has_code(&rt.loaded.object, found)) {
		if (record < before || record + 16 > end || record % 8)
			return 0;
		before = record + 16; /* records are at rising addresses */
		found = ((const uintptr_t *)record)[1];
		record = ((const uintptr_t *)record)[0];
	}
	return found;
#else
	(void)context;
	(void)low;
	(void)end;
	return 0;
#endif
}

/* The place in the user's code that has caused the signal: the current pc, or the innermost return
 * address into the user's code.  One is added to the current pc, because reports subtract one.  The
 * address that was accessed may be one of code, and on the stack, too. */
static uintptr_t user_pc(const ucontext_t *context, uintptr_t accessed)
{
	const uintptr_t pc = pc_of(context), end = rt_stack_end(rt_id(rt.self));
	uintptr_t sp = sp_of(context) & ~(uintptr_t)7;
	const uintptr_t low = end - rt.layout.stack_stride + RT_GUARD;
	LP_HOLDS(low < end && rt_in_stacks(low));

	if (lp_object_has_code(&rt.loaded.object, pc))
		return pc + 1;
	const uintptr_t known = return_address(context, low, end);
	if (known)
		return known;
	if (sp < low && low - sp <= RT_GUARD) /* the stack has overflowed */
		sp = low;
	for (unsigned n = 0; n < 4096 && sp >= low && sp + 8 <= end; n++, sp += 8)
		if (*(const uintptr_t *)sp != accessed &&
		    lp_object_has_code(&rt.loaded.object, *(const uintptr_t *)sp))
			return *(const uintptr_t *)sp;
	return 0;
}

static bool in_guard(uintptr_t address)
{
	return address - RT_STACKS < RT_THREADS * rt.layout.stack_stride &&
	       (address - RT_STACKS) % rt.layout.stack_stride < RT_GUARD;
}

_Noreturn void rt_stack_overflow(uintptr_t pc)
{
	rt_error(LP_ERROR_STACK_OVERFLOW, pc, NULL, "the thread needs more than %zu KB of stack",
		 rt.limits.stack >> 10);
}

/* clang's numbers for its checks; frontend/compile/translate.c says which checks are made. */
enum check { UNREACHABLE = 1, DIVISION = 3, NO_RESULT = 11, NO_CHECK = 255 };

/* A check is an instruction that traps, with its number. */
static enum check check_at(int number, const ucontext_t *context)
{
#if defined(__aarch64__)
	const uint32_t brk = *(const uint32_t *)pc_of(context);
	return number == SIGTRAP && (brk & 0xffffe01fu) == (0xd4200000u | 0x5500u << 5) ? brk >> 5 & 255 : NO_CHECK;
#else
	static const uint8_t ud1[] = { 0x67, 0x0f, 0xb9, 0x40 };
	const uint8_t *at = (const uint8_t *)pc_of(context);
	return number == SIGILL && !memcmp(at, ud1, sizeof ud1) ? at[sizeof ud1] : NO_CHECK;
#endif
}

/* On aarch64 a division by zero does not trap; a check before it does. */
static const char *describe(int number, enum check check)
{
	switch (check) {
	case UNREACHABLE:
		return "the program reached a place that it must never reach: after a function that does not return, or "
		       "__builtin_unreachable()";
	case NO_RESULT:
		return "a function ends without returning a value";
	case DIVISION:
		return "division by zero or overflow";
	default:
		return number == SIGFPE	 ? "division by zero or overflow" :
		       number == SIGILL	 ? "illegal instruction" :
		       number == SIGABRT ? "abort" :
		       number == SIGTRAP ? "trap" : "signal";
	}
}

static _Noreturn void blame(int number, enum check check, uintptr_t address, uintptr_t pc)
{
	const bool memory = number == SIGSEGV || number == SIGBUS;

	if (memory && in_guard(address))
		rt_stack_overflow(pc);
	if (memory && address < 4096)
		rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, (void *)address, "access through a NULL pointer");
	if (memory)
		rt_error(LP_ERROR_CRASH, pc, (void *)address, "%s at address 0x%llx",
			 number == SIGBUS ? "bus error" : "segmentation fault",
			 (unsigned long long)address);
	rt_error(LP_ERROR_CRASH, pc, NULL, "%s", describe(number, check));
}

/* Restores the default action, because linchpin itself has caused the fault. */
static void give_up(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

/* Has the thread neither performed an operation nor accessed memory that others can see since the last tick? */
static bool is_idle(void)
{
	return rt.self && rt.progress == signals.progress && rt.budget == signals.budget;
}

/* Begins to execute the thread one instruction at a time. */
static bool watch(ucontext_t *context)
{
	LP_HOLDS(rt.self && !rt_computing_is_watched());
	signals.lowest = UINTPTR_MAX - 1;
	signals.last = 0;
	signals.progress = rt.progress;
	return rt_computing_watch(context, rt_stack_end(rt_id(rt.self)));
}

/* The thread has executed one more instruction. */
static void on_step(ucontext_t *context)
{
	const uintptr_t pc = pc_of(context);
	const bool inside = lp_object_has_code(&rt.loaded.object, pc);

	/* The stubs by which the program calls other objects do not count, because they jump at
	 * once. */
	if (inside && pc - signals.last <= LONGEST_INSTRUCTION && pc < signals.lowest)
		signals.lowest = pc;
	signals.last = pc;
	if (!rt.self || rt.progress != signals.progress) {
		rt_computing_forget(context);
	} else if (rt_computing_is_back(context, inside, rt.writes + rt.self->changes)) {
		rt_computing_forget(context);
		rt_error(LP_ERROR_ENDLESS, signals.lowest + 1, NULL,
			 "the thread comes back to the same state again and again, without an operation on shared memory");
	} else if (!rt_computing_is_watched() && signals.out_of_budget) {
		signals.out_of_budget = false;
		rt_error(LP_ERROR_UNSUPPORTED, user_pc(context, 0), NULL, RT_PERHAPS_ENDLESS,
			 (unsigned long long)rt.limits.steps);
	}
}

bool rt_signals_watch(void)
{
	signals.out_of_budget = true;
	raise(SIGTRAP);
	return rt_computing_is_watched();
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	const uintptr_t address = (uintptr_t)info->si_addr;

	if (number == SIGTRAP && rt_computing_is_watched()) {
		on_step(context);
		return;
	}
	if (number == SIGTRAP && info->si_code == SI_TKILL && signals.out_of_budget) {
		signals.out_of_budget = watch(context);
		return;
	}
	if (number == SIGSEGV && lp_globals_fault(&rt.loaded.object, address))
		return;
	if (!rt.self) {
		give_up(number);
		return;
	}
	blame(number, check_at(number, context), address, user_pc(context, address));
}

static void on_tick(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	if (!is_idle()) {
		signals.progress = rt.progress;
		signals.budget = rt.budget;
		signals.idle = 0;
		return;
	}
	/* In a library function the thread may hold one of the library's locks: waits longer. */
	const unsigned limit = (unsigned)(rt.limits.seconds * 1000 / (double)TICK_MS);
	const bool inside = lp_object_has_code(&rt.loaded.object, pc_of(context));
	if (++signals.idle < (inside ? limit : 4 * limit)) {
		if ((signals.idle == SUSPICIOUS || signals.idle == 2 * SUSPICIOUS) && !rt_computing_is_watched()) {
			signals.out_of_budget = false;
			watch(context);
		}
		return;
	}
	signals.idle = 0;
	rt_computing_forget(context);
	rt_error(LP_ERROR_UNSUPPORTED, user_pc(context, 0), NULL,
		 "the thread has computed for %.1f s without an operation on shared memory, perhaps without end",
		 rt.limits.seconds);
}

static void start_timer(void)
{
	const struct timeval tick = { 0, TICK_MS * 1000 };

	if (signals.open)
		setitimer(ITIMER_VIRTUAL, &(struct itimerval){ tick, tick }, NULL);
}

bool rt_signals_open(struct lp_error *error)
{
	LP_HOLDS(!signals.open);
	signals.stack_size = 64 << 10;
	signals.stack = mmap(NULL, signals.stack_size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (signals.stack == MAP_FAILED)
		return lp_fail(error, "cannot get a stack for signals: %s", strerror(errno));
	sigaltstack(&(stack_t){ .ss_sp = signals.stack, .ss_size = signals.stack_size }, NULL);
	for (int i = 0; i < CAUGHT; i++) {
		struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
		action.sa_sigaction = on_fault;
		if (caught[i] == SIGVTALRM) {
			action.sa_sigaction = on_tick;
			action.sa_flags |= SA_RESTART;
		}
		sigaction(caught[i], &action, &signals.before[i]);
	}
	signals.open = true;
	start_timer();
	if (!signals.forks_watched) /* timers are not inherited */
		pthread_atfork(NULL, NULL, start_timer);
	signals.forks_watched = true;
	return true;
}

void rt_signals_close(void)
{
	if (!signals.open)
		return;
	signals.open = false;
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL);
	for (int i = 0; i < CAUGHT; i++)
		sigaction(caught[i], &signals.before[i], NULL);
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
	munmap(signals.stack, signals.stack_size);
}
