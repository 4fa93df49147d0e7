/* rt.h -- inside the runtime: what the hooks and the shims are built from.
 *
 * The front end renames functions that the program calls but does not define: a
 * call of `pthread_mutex_lock` becomes one of `lp_shim_pthread_mutex_lock`, which
 * the linchpin executable exports.  shims.def lists every renamed symbol; a shim
 * is an ordinary C function written on the calls below.  Neither libc nor
 * libstdc++ nor our own code is affected by the renaming.
 *
 * A shim may be entered in two situations:
 *   running   rt_running() is true: on a user thread's coroutine, in an execution
 *   setting up the object's constructors run once, before the first execution: no
 *             other thread exists, operations take effect on memory at once
 *             (rt_op() does that by itself), and what they leave behind in globals
 *             and heap is the state that every execution begins with.
 *
 * No shim keeps state of its own outside what is saved and restored with the
 * execution: a mutex' state lives at an address (the user's object itself, or
 * rt_state() memory) and changes by operations, so that the explorer sees it.
 * Nothing here may call into the user's code except where said.
 */
#ifndef LP_RUNTIME_RT_H
#define LP_RUNTIME_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/program.h"

#define LP_API __attribute__((visibility("default")))

/* Where the program called the current shim: the address of a struct lp_site.  Use it at the
 * outermost level of a shim only: the stack below its frame is recorded as the runtime's. */
#define RT_PC rt_enter(__builtin_dwarf_cfa())
uintptr_t rt_enter(const void *cfa);

/* The innermost place of the thread that is in the user's own files, or `pc` if there is none: where the C++ library was
 * called. */
uintptr_t rt_user_pc(uintptr_t pc);

/* "std::out_of_range" for the name of a type_info, "St12out_of_range". */
void rt_describe_type(const char *name, char *out, size_t size);

bool rt_running(void);

/* Are states of threads compared (native_process.c)?  Then memory that is read without an operation
 * must not change. */
bool rt_compared(void);

/* The current thread.  For processes, which have no names (native_process.c), rt_self() is an error of
 * kind "unsupported".  rt_me() is for uses that no other thread can observe. */
lp_tid rt_self(void);
lp_tid rt_me(void);

/* Presents an operation of the current thread to the explorer, and returns when
 * it has been answered.  The op is copied. */
struct lp_response rt_op(const struct lp_op *op);
/* The same, if what the shim does afterwards depends on the operation and its answer alone. */
struct lp_response rt_simple_op(const struct lp_op *op);

/* The usual ones.  `name` is the shim's name for the reports. */
struct lp_value rt_load(const char *name, uintptr_t pc, const void *loc, unsigned size,
			enum lp_order);
void rt_store(const char *name, uintptr_t pc, void *loc, unsigned size, enum lp_order,
	      struct lp_value);
void rt_fence(uintptr_t pc, enum lp_order);
/* Any of 0 .. count-1, explored. */
uint32_t rt_choose(const char *name, uintptr_t pc, uint32_t count);
/* The thread can never continue, and that is not an error (an assumption). */
_Noreturn void rt_block(uintptr_t pc);

/* Stops the current thread with an error. */
_Noreturn void rt_error(enum lp_error_kind kind, uintptr_t pc, const void *loc,
			const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Plain accesses.  Each checks that [p, p+size) is memory that the program may read or write
 * (bounds, freed, uninitialised when read), reports the access to the observer, and presents it as
 * events if the observer asks for that.
 *
 * After rt_read() the value is in memory, where the shim can read it.  The others write; `from` is
 * memory that only the shim knows. */
void rt_read(const void *p, size_t size, uintptr_t pc);
/* Memory of the program that cannot be written: reading it is no event. */
bool rt_is_constant(uintptr_t loc);
void rt_write(void *p, const void *from, size_t size, uintptr_t pc);
void rt_fill(void *p, uint8_t byte, size_t size, uintptr_t pc);
/* memmove() by the program.  Copying uninitialised bytes (padding, unused fields) is not an error;
 * the copies are uninitialised, too. */
void rt_copy(void *to, const void *from, size_t size, uintptr_t pc);
/* Writes the value of an object: RT_WRITE(result, value, pc). */
#define RT_WRITE(p, value, pc) rt_write(p, &(__typeof__(*(p))){ value }, sizeof *(p), pc)

/* The heap of the program under test: fixed addresses by (thread, allocation).
 * Alloc never returns NULL: exceeding the limit is an error of the program.
 * free and size accept only live blocks of this heap; rt_heap_free() reports
 * double and invalid frees by itself. */
void *rt_heap_alloc(size_t size, size_t align, bool zeroed, uintptr_t pc);
void rt_heap_free(void *block, uintptr_t pc);
size_t rt_heap_size(const void *block);
bool rt_heap_owns(const void *p); /* an address inside the arena, live or not */

/* Threads.  rt_spawn() begins a thread that runs start(arg) (user code), and
 * returns its id; `like` is 0, or 1 + the id of a thread that it is declared to be
 * interchangeable with, or RT_RECOGNISE: the runtime may find one.  rt_exit() ends the current thread after running its
 * destructors of thread-specific keys; returning from start() is the same. */
#define RT_RECOGNISE UINT32_MAX
lp_tid rt_spawn(const char *name, uintptr_t pc, void *(*start)(void *), void *arg,
		uint32_t like);
_Noreturn void rt_exit(void *result);
/* Waits for the thread, and returns its result.  LP_ELSE_DROP: executions in which it waits forever
 * are dropped. */
void *rt_join(const char *name, uintptr_t pc, lp_tid, enum lp_else);

/* The number of hooks called, without plain reads; and the number of calls of shims that join. */
extern uint64_t rt_entries, rt_quiet_entries;

/* Ends the whole execution (exit, quick_exit, return from main), normally. */
_Noreturn void rt_finish(int status);

/* rt_thread_words(): sixteen 8-byte words per thread, saved with the execution, zero when
 * the thread starts: for pthread keys, errno and the like.  rt_state(): `size` zeroed bytes
 * of execution state that belong to the user's object at `owner` (a mutex, a barrier), the
 * same bytes for the same owner throughout an execution: for objects that have too few
 * bytes of their own, or whose bytes must not be changed. */
uint64_t *rt_thread_words(lp_tid);
/* Tells the thread that it need not wait any longer; changes by operations only. */
uint64_t *rt_wake_word(lp_tid);
/* The word that other threads write, when they join or detach the thread: it is not part of its live
 * state. */
#define RT_WORD_OF_OTHERS 1
void *rt_state(const void *owner, size_t size);
/* The same for state that only concerns the current thread, or changes by operations only. */
void *rt_own_state(const void *owner, size_t size);
/* Instead, for a lock in memory that was allocated, where states are compared (memory/held.h): does this apply, and the
 * eight bytes, which are valid until the next operation. */
bool rt_held_applies(const void *lock);
void *rt_held_data(const void *lock);

/* The memory that either of them gave to that owner; NULL if there is none in this execution, or it is all
 * zeros. */
void *rt_state_if_any(const void *owner);
/* The owner of what strtok() keeps, and its name in reports. */
extern const char rt_strtok_owner[];
uint64_t *rt_thread_words_if_any(lp_tid);

/* The thread has changed execution state, in rt_state(), other than by an operation: its live state is
 * new, even if its stack is as before. */
void rt_changed(void);
/* The thread does something that is neither an operation nor an access and may affect the end of main():
 * it joins or detaches threads, or registers something to be done then. */
void rt_concerns_main(void);

/* What the program does depends on which thread does it, although its symbols do not show that: it has
 * locked a mutex that knows its owner. */
void rt_tells_apart(void);
/* Does the thread hold a readers-writer lock as its writer? */
bool rt_is_writer(void);

/* Something depends on which of several like threads the current one is (explore/reduce/like_threads.h). */
void rt_differs(void);
/* The program looks at the result of that thread. */
void rt_asks_for_result(lp_tid);

/* What the user's printf writes: shown with --echo or on a replay, else dropped. */
void rt_output(const char *text, size_t size);

/* Others. */

/* Stops the thread with the appropriate error unless [p, p+size) is in live memory of the
 * program (bounds, freed).  No access is reported: for objects of which only the internal
 * word is about to be accessed. */
void rt_live(const void *p, size_t size, uintptr_t pc);

/* Is it in the stack of the current thread? */
bool rt_on_own_stack(const void *p);

/* Is `block` the address of an allocation that was not freed? */
bool rt_heap_live(const void *block);

/* Has a thread with that id started in this execution? */
bool rt_thread_exists(lp_tid);

/* On a user thread's coroutine, running or setting up?  False on the explorer's own
 * stack, where a library's initialisers may call us. */
bool rt_entered(void);

/* Options: may waits on condition variables end without a signal; the range that
 * __VERIFIER_nondet_int() and the like choose from. */
bool rt_option_spurious(void);
/* True if the user gave the range. */
bool rt_option_nondet(int64_t *lo, int64_t *hi);

/* What the program has used of its environment, for the scope (native_doubts.c). */
enum rt_use {
	RT_USE_FIXED, /* it was given one of several possible values */
	RT_USE_RANGE, /* it was given every value of the range above */
	RT_USE_GIVEN, /* it was told about its machine: `what` is a fact, not a function */
	RT_USE_PASSED, RT_USE_CUT, /* not the environment: a finding that is ignored (ignored.h) */
};
void rt_note_use(enum rt_use, const char *what, uintptr_t pc);
void rt_note_finding(enum rt_use, enum lp_error_kind, uintptr_t pc);

/* Is the thread's future independent of the shim's result?  False if that is not known. */
bool rt_ignores_result(void);

/* Between rt_atomic(true) and rt_atomic(false) no other thread performs an operation, as far as the
 * runtime can ask the explorer for that. */
void rt_atomic(bool begin, uintptr_t pc);

/* Provided by the shims and called by the runtime, on the thread's coroutine, because they
 * call user code and present operations.  At the end of a thread: thread-local destructors and
 * those of keys.  After main() has returned: the thread-local destructors of its thread, and
 * the handlers of atexit(). */
void rt_run_key_destructors(void);
void rt_run_atexit(void);
/* Adds a handler of atexit(). */
void rt_at_exit(void (*handler)(void));

#endif
