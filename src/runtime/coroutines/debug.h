/* debug.h -- an execution under a debugger.
 *
 * gdb knows nothing of coroutines: a script of ours (src/cli/gdb/) tells it where they are.
 * That script must also work with an executable that was stripped, so it relies on no debug
 * information of ours: the words that it needs are in an exported table, each with its name.
 *
 * A thread that is resumed first passes through lp_debug_here, on its own stack, as if the function
 * that it is suspended in called it.  So a debugger that stops there shows the thread's frames.
 */
#ifndef LP_RUNTIME_DEBUG_H
#define LP_RUNTIME_DEBUG_H

#include <stdint.h>

/* The program is loaded, and none of its threads has begun. */
void lp_debug_begin(void);

/* The thread is resumed next, at its event with that number. */
void lp_debug_step(uint32_t thread, uint32_t event);

/* No thread continues any more: each has ended, or waits. */
void lp_debug_end(void);

#endif
