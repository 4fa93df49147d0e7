/* held.h -- inside the runtime: the locks that a process holds and that are in blocks of the arena.
 *
 * For the state explorer, the state of a process is a string of bytes that are put in place for a step (native_process.c),
 * and the explorer moves blocks between steps.  So a process cannot find its data about a lock in a block by a fixed address.
 * Instead, each process has a table with an entry for each such lock.  The address in an entry is treated like a pointer on
 * the process's stack: when the block moves, the address is changed.  An entry whose data is all zero has no meaning, and is
 * removed before local states are compared.  Shims use this table through rt.h: rt_held_applies(), rt_held_data().
 */
#ifndef LP_RUNTIME_MEMORY_HELD_H
#define LP_RUNTIME_MEMORY_HELD_H

#include <stdint.h>

struct rt_held {
	uint64_t lock; /* the address of the lock; 0: the entry is free */
	uint64_t data; /* the data of the shim */
};

/* Removes the entries of locks in a block that is freed. */
void rt_held_freed(uintptr_t block);

/* For the process that is in place: rt_held_tidy() removes entries without meaning.  rt_held_each() calls see()
 * with the address in every entry, and replaces the address by the result. */
void rt_held_tidy(void);
void rt_held_each(uint64_t (*see)(const void *closure, uint64_t address), const void *closure);

#endif
