/* debug.h -- an execution under a debugger.
 *
 * gdb knows nothing of coroutines: a script of ours (src/cli/gdb/) tells it where they are.
 * That script must also work with an executable that was stripped, so it relies on no debug
 * information of ours: the words that it needs are in an exported table, each with its name.
 *
 * A thread that goes on passes by lp_debug_here first, on its own stack, as if the function
 * that it is suspended in called that: where a debugger stops, the thread's frames are those
 * that it shows.
 */
#ifndef LP_RUNTIME_DEBUG_H
#define LP_RUNTIME_DEBUG_H

#include <stdint.h>

/* The program is loaded, and none of its threads has begun. */
void lp_debug_begin(void);

/* The thread goes on next, with this event of its (by number). */
void lp_debug_step(uint32_t thread, uint32_t event);

/* Nobody goes on any more: threads are where they ended, or where they wait. */
void lp_debug_end(void);

#endif
