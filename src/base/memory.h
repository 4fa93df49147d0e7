/* memory.h -- the limit on memory; there is one per process.
 *
 * The limit is on the resident set of this process and of its children, the workers of -j, as
 * `ps` shows it.  Pages that processes share count for each of them.
 *
 * The allocator (alloc.c) checks the limit after every megabyte or so, and long loops check it from
 * time to time.  Once the limit is reached it stays reached, and all loops that can stop do so at
 * their next check.  Code that cannot stop in the middle is left by the escape of
 * lp_alloc_on_failure(), if there is one.
 */
#ifndef LP_BASE_MEMORY_H
#define LP_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on; 0: none.  Nothing is reached yet. */
void lp_memory_limit(uint64_t kb);

uint64_t lp_memory_limit_kb(void); /* 0: there is none */

/* From now on pages of mapped files do not count: the system can take them away at any time. */
void lp_memory_leave_out_files(void);

/* Has it been reached?  Costs nothing. */
bool lp_memory_is_full(void);

/* The same after a look at what is in use, by children, too. */
bool lp_memory_look(void);

/* The same, before so many bytes more come into use; without children. */
bool lp_memory_expect(size_t bytes);

/* "memory limit of 64 MB reached (--memory)" */
const char *lp_memory_reason(void);

uint64_t lp_memory_resident_kb(void); /* now, of this process and its children */

#endif
