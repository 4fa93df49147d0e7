/* rt.h -- inside the runtime: the functions from which hooks and shims are built.
 *
 * The front end renames functions that the program calls but does not define: a
 * call of `pthread_mutex_lock` becomes one of `lp_shim_pthread_mutex_lock`, which
 * the linchpin executable exports.  shims.def lists every renamed symbol; a shim is an ordinary C
 * function that uses the functions below.  The renaming does not affect libc, libstdc++ or linchpin
 * itself.
 *
 * A shim may be entered in two situations:
 *   running      rt_running() is true: the shim runs on a user thread's coroutine, in an execution
 *   setting up   rt_running() is false: the object's constructors run, once, before the first
 *                execution.  No other thread exists, and operations take effect on memory at once
 *                (in rt_op()).  Every execution begins with the globals and the heap that the
 *                constructors leave behind.
 *
 * The state of a shim must be saved and restored with the execution.  For example, the state of a
 * mutex is in memory (in the user's object itself, or in rt_state() memory) and changes by
 * operations, so that the explorer sees it.  The functions here do not call the user's code, except
 * where a comment says so.
 */
#ifndef LP_RUNTIME_RT_H
#define LP_RUNTIME_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/program.h"

#define LP_API __attribute__((visibility("default")))

/* The place where the program called the current shim, as the address of a struct lp_site.  To be
 * used only at the outermost level of a shim: the stack below the shim's frame is recorded as used
 * by the runtime. */
#define RT_PC rt_enter(__builtin_dwarf_cfa())
uintptr_t rt_enter(const void *cfa);

/* Returns the innermost place on the thread's stack that is in the user's own files: where the user called the C++ library.
 * Returns `pc` if there is none. */
uintptr_t rt_user_pc(uintptr_t pc);

/* Turns the name of a type_info, such as "St12out_of_range", into "std::out_of_range". */
void rt_describe_type(const char *name, char *out, size_t size);

bool rt_running(void);

/* Are states of threads compared (native_process.c)?  Then memory that is read without an operation
 * must not change. */
bool rt_compared(void);

/* The current thread.  For processes, which have no names (native_process.c), rt_self() is an error of
 * kind "unsupported".  rt_me() is for uses that no other thread can observe. */
lp_tid rt_self(void);
lp_tid rt_me(void);

/* Presents an operation of the current thread to the explorer, and returns its answer.  The op is
 * copied. */
struct lp_response rt_op(const struct lp_op *op);
/* The same as rt_op(), for a shim whose remaining work is determined by the operation and its answer. */
struct lp_response rt_simple_op(const struct lp_op *op);

/* The usual operations.  `name` is the shim's name in reports. */
struct lp_value rt_load(const char *name, uintptr_t pc, const void *loc, unsigned size,
			enum lp_order);
void rt_store(const char *name, uintptr_t pc, void *loc, unsigned size, enum lp_order,
	      struct lp_value);
void rt_fence(uintptr_t pc, enum lp_order);
/* Chooses a number in 0 .. count-1; all are explored. */
uint32_t rt_choose(const char *name, uintptr_t pc, uint32_t count);
/* Stops the current thread without an error: an assumption is false. */
_Noreturn void rt_block(uintptr_t pc);

/* Stops the current thread with an error. */
_Noreturn void rt_error(enum lp_error_kind kind, uintptr_t pc, const void *loc,
			const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Plain accesses.  Each checks that [p, p+size) is memory that the program may read or write
 * (bounds, freed, uninitialised when read), reports the access to the observer, and presents it as
 * events if the observer asks for that.
 *
 * After rt_read() the value is in memory, where the shim can read it.  The other functions write;
 * `from` is memory that only the shim knows. */
void rt_read(const void *p, size_t size, uintptr_t pc);
/* Is the location in memory of the program that cannot be written?  Reading such memory is no event. */
bool rt_is_constant(uintptr_t loc);
void rt_write(void *p, const void *from, size_t size, uintptr_t pc);
void rt_fill(void *p, uint8_t byte, size_t size, uintptr_t pc);
/* memmove() by the program.  Copying uninitialised bytes (padding, unused fields) is not an error;
 * the copies are uninitialised, too. */
void rt_copy(void *to, const void *from, size_t size, uintptr_t pc);
/* Writes the value of an object: RT_WRITE(result, value, pc). */
#define RT_WRITE(p, value, pc) rt_write(p, &(__typeof__(*(p))){ value }, sizeof *(p), pc)

/* The heap of the program under test.  The thread and the number of the allocation determine the
 * address.  rt_heap_alloc() never returns NULL: exceeding the limit is an error of the program.
 * rt_heap_free() and rt_heap_size() accept only live blocks of this heap; rt_heap_free() reports
 * double and invalid frees. */
void *rt_heap_alloc(size_t size, size_t align, bool zeroed, uintptr_t pc);
void rt_heap_free(void *block, uintptr_t pc);
size_t rt_heap_size(const void *block);
bool rt_heap_owns(const void *p); /* is the address inside the heap, live or not? */

/* Threads.  rt_spawn() begins a thread that runs start(arg) (user code), and
 * returns its id.  `like` is 1 + the id of a thread to which the new one is declared to be like; RT_RECOGNISE if
 * the runtime may recognise such a thread; otherwise 0.  rt_exit() runs the current thread's destructors of
 * thread-specific keys, and ends the thread; returning from start() has the same effect. */
#define RT_RECOGNISE UINT32_MAX
lp_tid rt_spawn(const char *name, uintptr_t pc, void *(*start)(void *), void *arg,
		uint32_t like);
_Noreturn void rt_exit(void *result);
/* Waits for the end of the thread, and returns its result.  LP_ELSE_DROP: executions in which the
 * current thread would wait forever are dropped. */
void *rt_join(const char *name, uintptr_t pc, lp_tid, enum lp_else);

/* Numbers for noise() (program.h): rt_entries counts calls of hooks other than plain reads, and a few other
 * requests; rt_quiet_entries counts the calls of shims that join threads, which are not noise. */
extern uint64_t rt_entries, rt_quiet_entries;

/* Ends the whole execution (exit, quick_exit, return from main), normally. */
_Noreturn void rt_finish(int status);

/* rt_thread_words() returns sixteen 8-byte words of the thread, for errno, thread-specific keys and
 * the like.  The words are saved with the execution, and zero when the thread starts.  rt_state() returns
 * `size` bytes of execution state that belong to the user's object at `owner` (a mutex, a barrier).
 * The bytes are zero at first.  Throughout an execution the function returns the same bytes for the
 * same owner.  It is for objects that have too few bytes of their own, or whose bytes must not be
 * changed. */
uint64_t *rt_thread_words(lp_tid);
/* The word by which other threads tell the thread that it need not wait any longer.  The word changes by operations
 * only. */
uint64_t *rt_wake_word(lp_tid);
/* The index of the word that other threads write when they join or detach the thread: it is not part
 * of the thread's live state. */
#define RT_WORD_OF_OTHERS 1
void *rt_state(const void *owner, size_t size);
/* The same as rt_state(), for state that only concerns the current thread, or changes by operations
 * only. */
void *rt_own_state(const void *owner, size_t size);
/* While states are compared, rt_state() cannot be used for a lock in an allocated block (memory/held.h).  rt_held_applies()
 * tells whether this is the case.  Then rt_held_data() returns eight bytes, which are valid until the next operation. */
bool rt_held_applies(const void *lock);
void *rt_held_data(const void *lock);

/* The memory that rt_state() or rt_own_state() has returned for that owner; NULL if there is no such memory in this
 * execution, or if it is all zeros. */
void *rt_state_if_any(const void *owner);
/* The owner of the state of strtok().  The text is the name of this state in reports. */
extern const char rt_strtok_owner[];
uint64_t *rt_thread_words_if_any(lp_tid);

/* To be called when the thread has changed rt_state() memory other than by an operation.  From now on the
 * thread's live state differs from all earlier ones, even if its stack is as before. */
void rt_changed(void);
/* Records that the thread does something that may affect the end of main() and is neither an operation
 * nor an access: it joins or detaches threads, or registers a function to be called at the end. */
void rt_concerns_main(void);

/* Records that the behaviour of the program depends on which thread is running, although the program's
 * symbols do not show this: a thread has locked a mutex that knows its owner. */
void rt_tells_apart(void);
/* Does the current thread hold some readers-writer lock for writing? */
bool rt_is_writer(void);

/* Records that something depends on which of several like threads the current one is
 * (explore/reduce/like_threads.h). */
void rt_differs(void);
/* Records that the program looks at the result of that thread. */
void rt_asks_for_result(lp_tid);

/* Outputs what the user's printf() writes.  The text is shown with --echo or in a replay, and otherwise
 * dropped. */
void rt_output(const char *text, size_t size);

/* Others. */

/* Stops the thread with the appropriate error unless [p, p+size) is in live memory of the
 * program (bounds, freed).  No access is reported.  The function is for objects of which only the
 * internal word is about to be accessed. */
void rt_live(const void *p, size_t size, uintptr_t pc);

/* Is the address in the stack of the current thread? */
bool rt_on_own_stack(const void *p);

/* Is `block` the address of an allocation that was not freed? */
bool rt_heap_live(const void *block);

/* Has a thread with that id started in this execution? */
bool rt_thread_exists(lp_tid);

/* Does the caller run on the coroutine of a user thread, in an execution or during the set-up?  The
 * answer is no on the explorer's own stack, where the initialisers of a library may call shims. */
bool rt_entered(void);

/* Option: may waits on condition variables end without a signal? */
bool rt_option_spurious(void);
/* Option: the range from which __VERIFIER_nondet_int() and similar functions choose.  Returns true
 * if the user gave the range. */
bool rt_option_nondet(int64_t *lo, int64_t *hi);

/* What the program has used of its environment; the scope of a report mentions it (native_doubts.c). */
enum rt_use {
	RT_USE_FIXED, /* the program was given one of several possible values */
	RT_USE_RANGE, /* the program was given every value of the range of rt_option_nondet() */
	RT_USE_GIVEN, /* the program was told a fact about its machine; `what` is the fact, and not the
	               * name of a function */
	RT_USE_PASSED, RT_USE_CUT, /* not about the environment: an ignored finding that is passed over, or cut off (ignored.h) */
};
void rt_note_use(enum rt_use, const char *what, uintptr_t pc);
void rt_note_finding(enum rt_use, enum lp_error_kind, uintptr_t pc);

/* Is the thread's future independent of the shim's result?  Returns false if that is not known. */
bool rt_ignores_result(void);

/* Between rt_atomic(true) and rt_atomic(false) no other thread performs an operation, as far as the
 * runtime can request this from the explorer. */
void rt_atomic(bool begin, uintptr_t pc);

/* The shims define these two functions, and the runtime calls them on the thread's coroutine,
 * because they call the user's code and present operations.  rt_run_key_destructors() runs the
 * thread-local destructors and those of keys at the end of a thread.  rt_run_atexit() runs the
 * thread-local destructors of the first thread, and the handlers of atexit(), after main() has
 * returned. */
void rt_run_key_destructors(void);
void rt_run_atexit(void);
/* Adds a handler of atexit(). */
void rt_at_exit(void (*handler)(void));

#endif
