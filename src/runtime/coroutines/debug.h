/* debug.h -- lets a debugger follow an execution.
 *
 * gdb does not know about coroutines: a script (src/cli/gdb/) tells it where they are.  The script
 * must also work with a stripped executable of linchpin, so it does not use linchpin's debug
 * information: an exported table has the words that the script needs, each with its name.
 *
 * A thread that is resumed first passes through lp_debug_here, on its own stack, as if the function
 * in which it was suspended had called lp_debug_here.  So a debugger that stops there shows the
 * thread's frames.
 */
#ifndef LP_RUNTIME_DEBUG_H
#define LP_RUNTIME_DEBUG_H

#include <stdint.h>

/* To be called when the program is loaded, before a thread starts. */
void lp_debug_begin(void);

/* To be called before the thread is resumed, at its event with that number. */
void lp_debug_step(uint32_t thread, uint32_t event);

/* To be called at the end of the execution, when each thread has ended or waits. */
void lp_debug_end(void);

#endif
