/* computing.h -- a thread that computes for long, without an operation: does it ever end?
 *
 * That it takes long proves nothing.  But while it performs no operation, no other thread runs.  So if it
 * comes to the same instruction twice with the same registers and the same stack, and has written nothing
 * else in between, it repeats that without end.  To find out, the thread is executed one instruction at a
 * time, for a while.
 *
 * x86-64 only: elsewhere a program cannot step through itself.
 */
#ifndef LP_RUNTIME_COMPUTING_H
#define LP_RUNTIME_COMPUTING_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* In a handler that has interrupted the thread, whose stack ends at `end`: from now on every instruction raises SIGTRAP.  False if that
 * cannot be done. */
bool rt_computing_watch(ucontext_t *, uintptr_t end);

bool rt_computing_is_watched(void);

/* In the handler of SIGTRAP: is the state the same as when the thread was first `inside` the user's code
 * after rt_computing_watch()?  `writes`, a number that grows when other memory is written, belongs to the
 * state. */
bool rt_computing_is_back(ucontext_t *, bool inside, uint64_t writes);

/* No more SIGTRAP.  After some time this happens by itself. */
void rt_computing_forget(ucontext_t *);

#endif
