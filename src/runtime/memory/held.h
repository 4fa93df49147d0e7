/* held.h -- inside the runtime: which locks in blocks of the arena a process holds.
 *
 * Where states are compared, a process is bytes that are put in place for a step (native_process.c), and the explorer moves
 * blocks between steps.  So what a process knows of a lock in a block cannot be found by an address that stays: it is an
 * entry in a table of the process, and the address in the entry is a pointer like those on its stack, renamed with the block.
 * An entry whose data is all zero means nothing, and is removed before local states are compared.  What shims use of it is in
 * rt.h: rt_held_applies(), rt_held_data().
 */
#ifndef LP_RUNTIME_MEMORY_HELD_H
#define LP_RUNTIME_MEMORY_HELD_H

#include <stdint.h>

struct rt_held {
	uint64_t lock; /* its address; 0: no entry */
	uint64_t data; /* what the shim keeps there */
};

/* The block is freed: what was held in it is forgotten. */
void rt_held_freed(uintptr_t block);

/* Of the process that is in place: removes entries that mean nothing; calls see() with the address in every entry,
 * and replaces that by the result. */
void rt_held_tidy(void);
void rt_held_each(uint64_t (*see)(const void *closure, uint64_t address), const void *closure);

#endif
