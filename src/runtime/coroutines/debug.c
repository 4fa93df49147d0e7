/* debug.c -- the words that a debugger reads, and the function at which it stops. */
#include "runtime/coroutines/debug.h"

#include "base/error.h"
#include "runtime/machine.h"

/* debug.S */
void lp_debug_landing(void);
void lp_debug_here(void);
extern void *lp_debug_address __attribute__((visibility("hidden")));
void *lp_debug_address; /* the address at which the thread continues */

/* The thread and event of the last call of lp_debug_step(). */
static struct {
	uint64_t thread, event;
} now;

/* A place for a breakpoint, which no compiler merges with another one, or removes. */
#define PLACE(text) __asm__ volatile("# " text ::: "memory")

static __attribute__((noinline)) void end_place(void)
{
	PLACE("end");
}

/* Name and value of every word; enumerators are here so that no number is written twice. */
#define WORDS(_)                                                        \
	_(version, 1)                                                   \
	_(here, lp_debug_here)                                          \
	_(end, end_place)                                               \
	_(stop, rt_stop)                                                \
	_(now, &now)                                                    \
	_(self, &rt.self)                                               \
	_(threads, rt.threads)                                          \
	_(thread_count, &rt.now.threads)                                \
	_(thread_size, sizeof(struct rt_thread))                        \
	_(image, &rt.loaded.object.image)                                      \
	_(state_at, offsetof(struct rt_thread, state))                  \
	_(sp_at, offsetof(struct rt_thread, sp))                        \
	_(start_at, offsetof(struct rt_thread, start))                  \
	_(kind_at, offsetof(struct rt_thread, op.kind))                 \
	_(name_at, offsetof(struct rt_thread, op.name))                 \
	_(error_at, offsetof(struct rt_thread, op.error))               \
	_(error_kind_at, offsetof(struct lp_program_error, kind))       \
	_(error_text_at, offsetof(struct lp_program_error, text))       \
	_(error_names, lp_error_names)                                  \
	_(absent, RT_ABSENT)                                            \
	_(new, RT_NEW)                                                  \
	_(waiting, RT_WAITING)                                          \
	_(kind_end, LP_OP_END)                                          \
	_(kind_join, LP_OP_JOIN)                                        \
	_(kind_error, LP_OP_ERROR)

#define NAME(name, value) #name " "
#define VALUE(name, value) (uintptr_t)(value),

extern LP_API const char lp_debug_names[];
extern LP_API const uintptr_t lp_debug_words[];
const char lp_debug_names[] = WORDS(NAME);
const uintptr_t lp_debug_words[] = { WORDS(VALUE) };

__attribute__((noinline)) LP_API void lp_debug_begin(void)
{
	PLACE("begin");
}

/* Undoes lp_debug_step() if the thread did not go on after all. */
static void take_back(void)
{
	LP_HOLDS(now.thread < RT_THREADS);
	const struct rt_thread *thread = &rt.threads[now.thread];
	void **address = thread->state == RT_WAITING ? lp_context_address(thread->sp) : NULL;

	if (address && *address == (void *)(uintptr_t)lp_debug_landing)
		*address = lp_debug_address;
}

void lp_debug_end(void)
{
	take_back();
	end_place();
}

void lp_debug_step(uint32_t thread, uint32_t event)
{
	LP_HOLDS(thread < RT_THREADS && !rt.self);
	take_back();
	now.thread = thread;
	now.event = event;
	if (rt.threads[thread].state == RT_WAITING) {
		void **address = lp_context_address(rt.threads[thread].sp);
		LP_HOLDS(*address != (void *)(uintptr_t)lp_debug_landing); /* it would land there again and again */
		lp_debug_address = *address;
		*address = (void *)(uintptr_t)lp_debug_landing;
	}
}
