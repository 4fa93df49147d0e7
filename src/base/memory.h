/* memory.h -- the limit on memory; there is one per process.
 *
 * The limit is on the resident set of this process and of its children, the workers of -j, as
 * `ps` shows it.  Pages that processes share count for each of them.
 *
 * The allocator (alloc.c) checks the limit after every megabyte or so, and long loops check it from
 * time to time.  Once the limit is reached it stays reached, and all loops that can stop do so at
 * their next check.  If code cannot stop in the middle, lp_alloc_on_failure() can set a function that jumps
 * out of it.
 */
#ifndef LP_BASE_MEMORY_H
#define LP_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets the limit; 0 removes it.  It no longer matters whether an earlier limit was reached. */
void lp_memory_limit(uint64_t kb);

uint64_t lp_memory_limit_kb(void); /* 0 if there is no limit */

/* To be called if the pages of mapped files are not to count from now on.  (The system can reclaim them at any time.)  Shared
 * memory then does not count, either, because the system reports it together with these pages. */
void lp_memory_leave_out_files(void);

/* Has the limit been reached, according to the last check?  Costs nothing. */
bool lp_memory_is_full(void);

/* Checks now, including child processes.  Returns true if the limit has been reached. */
bool lp_memory_look(void);

/* Checks, without child processes, whether `bytes` more would fit.  If not, the limit counts as reached.  Returns true if the limit has
 * been reached. */
bool lp_memory_expect(size_t bytes);

/* Returns a text such as "memory limit of 64 MB reached (--memory)". */
const char *lp_memory_reason(void);

uint64_t lp_memory_resident_kb(void); /* now, of this process and its children */

#endif
