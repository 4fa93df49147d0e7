/* computing.h -- finds out whether a thread that computes for a long time without an operation is in an
 * endless loop.
 *
 * A long computation may still end.  But while the thread performs no operation, no other thread runs.  So
 * if the thread comes to the same instruction twice with the same registers and the same stack, and has not
 * written to other memory in between, it repeats the same instructions forever.  To find out, the thread is
 * executed one instruction at a time, for a while.
 *
 * x86-64 only: elsewhere a program cannot step through itself.
 */
#ifndef LP_RUNTIME_COMPUTING_H
#define LP_RUNTIME_COMPUTING_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Makes every further instruction of the thread raise SIGTRAP.  To be called in a signal handler that has interrupted the thread; the
 * thread's stack ends at `end`.  Returns false if this is impossible. */
bool rt_computing_watch(ucontext_t *, uintptr_t end);

bool rt_computing_is_watched(void);

/* To be called in the handler of SIGTRAP: has the thread come back to the state that was remembered?  A state consists of the
 * registers, the stack, and `writes`, a number that grows when memory other than the stack is written.  `inside` says that
 * the thread is in the user's code.  The first call with `inside` after rt_computing_watch() remembers the state, and
 * returns false. */
bool rt_computing_is_back(ucontext_t *, bool inside, uint64_t writes);

/* Ends the watch: instructions no longer raise SIGTRAP.  The watch also ends by itself after some number of
 * instructions. */
void rt_computing_forget(ucontext_t *);

#endif
