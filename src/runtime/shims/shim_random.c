/* shim_random.c -- random numbers, process identity, and properties of the machine.
 *
 * A value that differs from run to run is a choice among the values of --nondet, if this option is
 * given.  Otherwise there is one value, which the program could really get, and reports say that
 * others were not tried (rt_note_use()).  If the program does not use the value, there is neither a
 * choice nor a note.
 *
 * If a standard defines the value as a function of the arguments (nrand48(), std::mt19937), the
 * shim computes this function.  Values that describe the machine are part of the scope.
 */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"

enum { PROCESS_ID = 1000, MOST_PROCESS_IDS = 1 << 22, CPUS = 2 };
#define SAY_CPUS "2 processors"

/* Up to this many values are all tried, even without --nondet. */
enum { FEW = 16 };

enum shim_source shim_source(const struct shim_site *at, const void *to)
{
	int64_t lo, hi;
	const bool given = rt_option_nondet(&lo, &hi) && rt_running();

	if (!to && rt_ignores_result())
		return SHIM_IGNORED;
	if (!given && rt_compared())
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL,
			 "%s() may return different values: --nondet LO..HI says which ones to try", at->name);
	LP_HOLDS(!given || lo <= hi);
	rt_note_use(given ? RT_USE_RANGE : RT_USE_FIXED, at->name, at->pc);
	return given ? SHIM_CHOSEN : SHIM_FIXED;
}

int64_t shim_choose(const struct shim_site *at, int64_t least, int64_t most)
{
	int64_t lo, hi;

	LP_HOLDS(least <= most);
	rt_option_nondet(&lo, &hi);
	if (lo < least)
		lo = least;
	if (hi > most)
		hi = most;
	if (lo > hi || (uint64_t)hi - (uint64_t)lo >= UINT32_MAX)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL,
			 "%s(): no number of its type is in the range given", at->name);
	if (lo == hi)
		return lo;
	const int64_t chosen = lo + rt_choose(at->name, at->pc, (uint32_t)((uint64_t)hi - (uint64_t)lo) + 1);
	LP_HOLDS(chosen >= lo && chosen <= hi);
	return chosen;
}

/* ---- random numbers ---- */

/* Each thread has its own sequence, so calls of another thread do not change its numbers. */
static uint64_t draw(void)
{
	uint64_t *state = shim_word(SHIM_WORD_RANDOM);

	*state += UINT64_C(0x9e3779b97f4a7c15);
	return lp_mix(*state);
}

/* From 0 to `most`, which is a power of two less one. */
static int64_t random_number(const struct shim_site *at, int64_t most)
{
	LP_HOLDS(most > 0 && !(most & (most + 1)));
	switch (shim_source(at, NULL)) {
	case SHIM_CHOSEN:
		return shim_choose(at, 0, most);
	case SHIM_FIXED:
		return (int64_t)(draw() >> 1) & most;
	case SHIM_IGNORED:
		break;
	}
	return 0;
}

LP_API int lp_shim_rand(void)
{
	return (int)random_number(SHIM_AT, RAND_MAX);
}

LP_API long lp_shim_random(void)
{
	return (long)random_number(SHIM_AT, INT32_MAX);
}

LP_API long lp_shim_lrand48(void)
{
	return (long)random_number(SHIM_AT, INT32_MAX);
}

LP_API long lp_shim_mrand48(void)
{
	return (int32_t)random_number(SHIM_AT, UINT32_MAX);
}

/* With N values, returns k/N.  It is not known whether the program uses a double. */
LP_API double lp_shim_drand48(void)
{
	const struct shim_site *at = SHIM_AT;
	int64_t lo, hi;

	if (!rt_option_nondet(&lo, &hi) || !rt_running()) {
		rt_note_use(RT_USE_FIXED, at->name, at->pc);
		return (double)(draw() >> 11) * 0x1p-53;
	}
	rt_note_use(RT_USE_RANGE, at->name, at->pc);
	LP_HOLDS(lo <= hi);
	return (double)(shim_choose(at, INT64_MIN, INT64_MAX) - lo) / ((double)(hi - lo) + 1);
}

/* Sequences of equal seeds are equal.  One sequence after another would have to remember the
 * choices of the first. */
static void seed(const struct shim_site *at, uint64_t to)
{
	int64_t lo, hi;
	const bool given = rt_option_nondet(&lo, &hi);

	if (rt_compared())
		return;
	uint64_t *state = shim_word(SHIM_WORD_RANDOM);
	if (given && *state)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL,
			 "%s() once more: sequences of equal seeds would differ with --nondet", at->name);
	*state = given ? 1 : to;
}

LP_API void lp_shim_srand(unsigned to)
{
	seed(SHIM_AT, to);
}

LP_API void lp_shim_srandom(unsigned to)
{
	seed(SHIM_AT, to);
}

LP_API void lp_shim_srand48(long to)
{
	seed(SHIM_AT, (uint64_t)to);
}

LP_API int lp_shim_rand_r(unsigned *state)
{
	const uintptr_t pc = RT_PC;

	rt_note_use(RT_USE_GIVEN, "rand_r() as in this C library", pc);
	rt_read(state, sizeof *state, pc);
	unsigned copy = *state;
	const int number = rand_r(&copy);
	rt_write(state, &copy, sizeof copy, pc);
	return number;
}

/* Functions of their argument, which they change; POSIX says which. */
#define FUNCTION_OF_STATE(type, name)                                        \
	LP_API type lp_shim_##name(unsigned short state[3])                  \
	{                                                                    \
		const uintptr_t pc = RT_PC;                                  \
		unsigned short copy[3];                                      \
                                                                             \
		rt_read(state, sizeof copy, pc);                             \
		memcpy(copy, state, sizeof copy);                            \
		const type number = name(copy);                              \
		rt_write(state, copy, sizeof copy, pc);                      \
		return number;                                               \
	}

FUNCTION_OF_STATE(double, erand48)
FUNCTION_OF_STATE(long, nrand48)
FUNCTION_OF_STATE(long, jrand48)

LP_API uint32_t lp_shim_arc4random(void)
{
	return (uint32_t)random_number(SHIM_AT, UINT32_MAX);
}

LP_API uint32_t lp_shim_arc4random_uniform(uint32_t bound)
{
	const struct shim_site *at = SHIM_AT;

	if (bound < 2 || rt_ignores_result())
		return 0;
	if (bound <= FEW && rt_running())
		return rt_choose(at->name, at->pc, bound);
	switch (shim_source(at, NULL)) {
	case SHIM_CHOSEN:
		return (uint32_t)shim_choose(at, 0, bound - 1);
	case SHIM_FIXED:
		return (uint32_t)(draw() >> 32) % bound;
	case SHIM_IGNORED:
		break;
	}
	return 0;
}

/* With --nondet the bytes are a number of that range, the lowest byte first. */
static void random_bytes(const struct shim_site *at, void *to, size_t size)
{
	const enum shim_source source = shim_source(at, to);
	const unsigned bits = size < 7 ? 8 * (unsigned)size : 62;
	uint64_t number = source == SHIM_CHOSEN && size ?
		(uint64_t)shim_choose(at, 0, (INT64_C(1) << bits) - 1) : 0;

	for (size_t i = 0; i < size; i++, number >>= 8)
		RT_WRITE((uint8_t *)to + i, source == SHIM_FIXED ? (uint8_t)draw() : (uint8_t)number,
			 at->pc);
}

LP_API void lp_shim_arc4random_buf(void *to, size_t size)
{
	random_bytes(SHIM_AT, to, size);
}

LP_API ssize_t lp_shim_getrandom(void *to, size_t size, unsigned flags)
{
	(void)flags;
	random_bytes(SHIM_AT, to, size);
	return (ssize_t)size;
}

LP_API int lp_shim_getentropy(void *to, size_t size)
{
	if (size > 256) {
		*shim_errno() = EIO;
		return -1;
	}
	random_bytes(SHIM_AT, to, size);
	return 0;
}

/* std::random_device, in whose object there is nothing to look at. */
LP_API void
lp_shim__ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(
	void *device, const void *token)
{
	(void)device, (void)token;
}

LP_API void lp_shim__ZNSt13random_device7_M_finiEv(void *device)
{
	(void)device;
}

LP_API unsigned lp_shim__ZNSt13random_device9_M_getvalEv(void *device)
{
	(void)device;
	return (unsigned)random_number(SHIM_NAMED("std::random_device::operator()"), UINT32_MAX);
}

/* ---- identity ---- */

/* Never written: their addresses name memory from rt_own_state(). */
static const char process_owner, parent_owner;

/* A process id is the same for all threads, so the first one that asks chooses. */
static pid_t process_id(const struct shim_site *at, const void *owner, pid_t otherwise)
{
	if (shim_source(at, NULL) != SHIM_CHOSEN)
		return otherwise;
	uint64_t *word = rt_own_state(owner, sizeof *word);
	const struct lp_value known = shim_load(at, word, sizeof *word, LP_RLX);
	LP_HOLDS(known.lo <= MOST_PROCESS_IDS); /* 0, or what an earlier call has chosen */
	if (known.lo)
		return (pid_t)known.lo;
	const struct lp_value id = lp_value((uint64_t)shim_choose(at, 1, MOST_PROCESS_IDS));
	LP_HOLDS(id.lo && id.lo <= MOST_PROCESS_IDS); /* 0 means that none is chosen yet */
	const struct lp_response answer =
		shim_rmw(at, word, sizeof *word, SHIM_XCHG(id), LP_RLX,
			 SHIM_IF_EQUAL(lp_value(0), LP_ELSE_FAIL));
	return (pid_t)(answer.failed ? answer.value.lo : id.lo);
}

LP_API pid_t lp_shim_getpid(void)
{
	return process_id(SHIM_AT, &process_owner, PROCESS_ID);
}

LP_API pid_t lp_shim_getppid(void)
{
	return process_id(SHIM_AT, &parent_owner, PROCESS_ID - 1);
}

LP_API pid_t lp_shim_gettid(void)
{
	rt_note_use(RT_USE_GIVEN, "gettid() counts threads from 1000", RT_PC);
	return PROCESS_ID + (pid_t)rt_self();
}

/* ---- the machine ---- */

/* The number of CPUs is the same on every machine. */
LP_API long lp_shim_sysconf(int name)
{
	if (name != _SC_NPROCESSORS_ONLN && name != _SC_NPROCESSORS_CONF)
		return sysconf(name);
	rt_note_use(RT_USE_GIVEN, SAY_CPUS, 0);
	return CPUS;
}

LP_API int lp_shim_getpagesize(void)
{
	return getpagesize();
}

LP_API int lp_shim_get_nprocs(void)
{
	rt_note_use(RT_USE_GIVEN, SAY_CPUS, 0);
	return CPUS;
}

LP_API int lp_shim_get_nprocs_conf(void)
{
	rt_note_use(RT_USE_GIVEN, SAY_CPUS, 0);
	return CPUS;
}

LP_API unsigned lp_shim__ZNSt6thread20hardware_concurrencyEv(void)
{
	rt_note_use(RT_USE_GIVEN, SAY_CPUS, 0);
	return CPUS;
}

/* The program asks for features of the processor; frontend/ir/prepare.c answers. */
LP_API void lp_shim___cpu_indicator_init(void)
{
	rt_note_use(RT_USE_GIVEN, "a processor without extensions", 0);
}

LP_API int lp_shim_sched_getcpu(void)
{
	const struct shim_site *at = SHIM_AT;

	rt_note_use(RT_USE_GIVEN, SAY_CPUS, 0);
	if (!rt_running() || rt_ignores_result())
		return 0;
	return (int)rt_choose(at->name, at->pc, CPUS);
}

LP_API char *lp_shim_getenv(const char *name)
{
	const struct shim_site *at = SHIM_AT;

	rt_note_use(RT_USE_GIVEN, "getenv() finds what linchpin was started with", 0);
	shim_string_length(at, name, SIZE_MAX);
	return getenv(name);
}
