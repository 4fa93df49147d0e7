/* shim_stop.c -- functions that end a thread or the program, and functions that verification
 * benchmarks call: assumptions, choices, atomic sections. */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <ctype.h>
#include <stdio.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"

/* Handlers of atexit(), at_quick_exit() and destructors of C++ objects, for which execution state
 * has room.  They are stored in chunks, so that a saved state does not contain room for all of them. */
enum { CHUNK = 8, MAX_CHUNKS = 32 };

struct handlers {
	uint64_t lock; /* taken to add a handler, since their order matters */
	uint64_t count;
};

struct handler {
	void (*plain)(void);     /* or */
	void (*destroy)(void *); /* the destructor of `object` */
	void *object;
};

/* Never written: their addresses name memory from rt_state(). */
static const char exit_owner[1 + MAX_CHUNKS], quick_exit_owner[1 + MAX_CHUNKS];

static struct handler *handler_at(const char *owner, uint64_t i)
{
	LP_HOLDS(i < CHUNK * MAX_CHUNKS);
	struct handler *chunk = rt_state(&owner[1 + i / CHUNK], CHUNK * sizeof *chunk);

	return &chunk[i % CHUNK];
}

static int add_handler(const struct shim_site *at, const char *owner, struct handler handler)
{
	struct handlers *h = rt_state(owner, sizeof *h);

	shim_lock(at, &h->lock);
	LP_HOLDS(h->count <= CHUNK * MAX_CHUNKS && (!handler.plain || !handler.destroy));
	if (h->count == CHUNK * MAX_CHUNKS)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() of more than %d functions", at->name,
			 CHUNK * MAX_CHUNKS);
	*handler_at(owner, h->count++) = handler;
	shim_unlock(at, &h->lock);
	rt_changed();
	rt_concerns_main();
	return 0;
}

static void run_handlers(const char *owner)
{
	struct handlers *h = rt_state(owner, sizeof *h);

	while (h->count > 0) {
		const struct handler last = *handler_at(owner, --h->count);
		LP_HOLDS(!last.destroy || !last.plain); /* one or the other; atexit() may be given NULL, and crashes */
		if (last.destroy)
			last.destroy(last.object);
		else
			last.plain();
	}
}

void rt_run_atexit(void)
{
	shim_run_thread_exits();
	run_handlers(exit_owner);
}

void rt_at_exit(void (*handler)(void))
{
	LP_HOLDS(!rt_running()); /* during the set-up, before the handlers that the program adds */
	add_handler(&(const struct shim_site){ .name = "destructor" }, exit_owner,
		    (struct handler){ .plain = handler });
}

LP_API int lp_shim_atexit(void (*handler)(void))
{
	return add_handler(SHIM_AT, exit_owner, (struct handler){ .plain = handler });
}

LP_API int lp_shim_at_quick_exit(void (*handler)(void))
{
	return add_handler(SHIM_AT, quick_exit_owner, (struct handler){ .plain = handler });
}

/* The destructor of a C++ object of static storage duration.  Where states are compared, no main()
 * ever ends. */
LP_API int lp_shim___cxa_atexit(void (*destroy)(void *), void *object, void *library)
{
	(void)library;
	if (rt_compared())
		return 0;
	return add_handler(SHIM_NAMED("atexit"), exit_owner,
			   (struct handler){ .destroy = destroy, .object = object });
}

LP_API _Noreturn void lp_shim_exit(int status)
{
	rt_finish(status); /* it runs the handlers of atexit() */
}

static _Noreturn void finish_at_once(int status)
{
	struct handlers *h = rt_state(exit_owner, sizeof *h);

	h->count = 0;
	*shim_word(SHIM_WORD_DESTROYS) = 0;
	rt_finish(status);
}

LP_API _Noreturn void lp_shim__exit(int status)
{
	finish_at_once(status);
}

LP_API _Noreturn void lp_shim__Exit(int status)
{
	finish_at_once(status);
}

LP_API _Noreturn void lp_shim_quick_exit(int status)
{
	run_handlers(quick_exit_owner);
	finish_at_once(status);
}

/* "push" for "void push(struct queue *, int)", as clang writes it in C.  A more complicated name is
 * not changed. */
static const char *plain_function(const char *function, char *room, size_t size)
{
	const char *open = function ? strchr(function, '(') : NULL, *start = open;

	while (start && start > function && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
		start--;
	if (!open || start == open || start == function || (start[-1] != ' ' && start[-1] != '*') ||
	    strpbrk(function, ":<["))
		return function ? function : "?";
	snprintf(room, size, "%.*s", (int)(open - start), start);
	return room;
}

LP_API _Noreturn void lp_shim___assert_fail(const char *text, const char *file, unsigned line,
					    const char *function)
{
	const char *base = strrchr(file, '/');
	char room[128];

	rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "%s:%u: %s: assertion '%s' failed",
		 base ? base + 1 : file, line, plain_function(function, room, sizeof room), text);
}

LP_API _Noreturn void lp_shim___assert_perror_fail(int error, const char *file, unsigned line,
						   const char *function)
{
	const char *base = strrchr(file, '/');
	const char *text = strerrordesc_np(error);
	char room[128];

	rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "%s:%u: %s: unexpected error: %s", base ? base + 1 : file, line,
		 plain_function(function, room, sizeof room), text ? text : "?");
}

LP_API _Noreturn void lp_shim___assert(const char *text, const char *file, int line)
{
	const char *base = strrchr(file, '/');

	rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "%s:%d: assertion '%s' failed",
		 base ? base + 1 : file, line, text);
}

LP_API _Noreturn void lp_shim_abort(void)
{
	rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "abort() was called");
}

LP_API _Noreturn void lp_shim_reach_error(void)
{
	rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "reach_error() was called");
}

LP_API _Noreturn void lp_shim___VERIFIER_error(void)
{
	rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "__VERIFIER_error() was called");
}

LP_API void lp_shim___VERIFIER_assert(int condition)
{
	if (!condition)
		rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "__VERIFIER_assert() of a false condition");
}

LP_API void lp_shim___VERIFIER_assume(int condition)
{
	if (!condition)
		rt_block(RT_PC);
}

LP_API void lp_shim___VERIFIER_atomic_begin(void)
{
	rt_atomic(true, RT_PC);
}

LP_API void lp_shim___VERIFIER_atomic_end(void)
{
	rt_atomic(false, RT_PC);
}

/* The caller says that the new thread and `like` could be exchanged. */
LP_API pthread_t lp_shim___VERIFIER_spawn_symmetric(void *(*start)(void *), void *arg,
						    pthread_t like)
{
	if (like > UINT32_MAX || (like && !rt_thread_exists((lp_tid)(like - 1))))
		rt_error(LP_ERROR_THREAD, RT_PC, NULL,
			 "__VERIFIER_spawn_symmetric() of a thread that is to be like something that is "
			 "no thread");
	return shim_thread_create(SHIM_AT, start, arg, false, like);
}

LP_API pthread_t lp_shim___VERIFIER_spawn(void *(*start)(void *), void *arg)
{
	return shim_thread_create(SHIM_AT, start, arg, false, 0);
}

/* Chooses a number of the requested range that the type can represent.  All are explored, except in
 * a constructor. */
static int64_t choose_number(const struct shim_site *at, int64_t least, int64_t most)
{
	rt_note_use(rt_running() ? RT_USE_RANGE : RT_USE_FIXED, at->name, at->pc);
	return shim_choose(at, least, most);
}

#define NONDET(name, type, least, most)                              \
	LP_API type lp_shim___VERIFIER_nondet_##name(void)           \
	{                                                            \
		return (type)choose_number(SHIM_AT, least, most);    \
	}

NONDET(char, char, INT8_MIN, INT8_MAX)
NONDET(schar, signed char, INT8_MIN, INT8_MAX)
NONDET(uchar, unsigned char, 0, UINT8_MAX)
NONDET(short, short, INT16_MIN, INT16_MAX)
NONDET(ushort, unsigned short, 0, UINT16_MAX)
NONDET(int, int, INT32_MIN, INT32_MAX)
NONDET(uint, unsigned, 0, UINT32_MAX)
NONDET(unsigned, unsigned, 0, UINT32_MAX)
NONDET(unsigned_int, unsigned, 0, UINT32_MAX)
NONDET(long, long, INT64_MIN, INT64_MAX)
NONDET(ulong, unsigned long, 0, INT64_MAX)
NONDET(longlong, long long, INT64_MIN, INT64_MAX)
NONDET(ulonglong, unsigned long long, 0, INT64_MAX)
NONDET(size_t, size_t, 0, INT64_MAX)
NONDET(loff_t, long long, INT64_MIN, INT64_MAX)
NONDET(float, float, INT64_MIN, INT64_MAX)
NONDET(double, double, INT64_MIN, INT64_MAX)
NONDET(u8, uint8_t, 0, UINT8_MAX)
NONDET(u16, uint16_t, 0, UINT16_MAX)
NONDET(u32, uint32_t, 0, UINT32_MAX)
NONDET(U32, uint32_t, 0, UINT32_MAX)
NONDET(u64, uint64_t, 0, INT64_MAX)

LP_API bool lp_shim___VERIFIER_nondet_bool(void)
{
	const struct shim_site *at = SHIM_AT;

	if (!rt_running())
		rt_note_use(RT_USE_FIXED, at->name, at->pc);
	return rt_choose(at->name, at->pc, 2);
}

/* It is not known which pointers are possible. */
LP_API void *lp_shim___VERIFIER_nondet_pointer(void)
{
	rt_error(LP_ERROR_UNSUPPORTED, RT_PC, NULL, "__VERIFIER_nondet_pointer()");
}
