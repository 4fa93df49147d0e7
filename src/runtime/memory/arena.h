/* arena.h -- inside the runtime: the heap of processes (program/process.h).
 *
 * Blocks that the set-up and the calls allocate are in slots of one arena in the slab of
 * thread 0, so that an explorer can rearrange them.  A block that is too large for a slot never
 * moves if the set-up allocates it, and is refused if a call does.
 */
#ifndef LP_RUNTIME_MEMORY_ARENA_H
#define LP_RUNTIME_MEMORY_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RT_SLOTS = 128, RT_SLOT_SIZE = 256, RT_SLOT_HEAD = 16 };

/* Creates the arena, in the slab of thread 0, which is about to run. */
void rt_arena_open(void);

/* The set-up has ended.  From now on only the explorer knows which bytes belong to blocks: to the shadow all are written. */
void rt_arena_share(void);

/* The slot that a word points into, ignoring its lowest three and highest 16 bits; RT_SLOTS if
 * none. */
uint32_t rt_arena_slot(uint64_t word);

/* Inside rt_heap_alloc(), rt_heap_free() and their like. */
bool rt_arena_takes(size_t size, size_t align, uintptr_t pc);
void *rt_arena_alloc(size_t size, bool zeroed, uintptr_t pc);
bool rt_arena_has(uintptr_t p);
void rt_arena_free(uintptr_t p, uintptr_t pc);
_Noreturn void rt_arena_complain(uintptr_t p, size_t size, bool write, uintptr_t pc); /* of an access in the set-up */
void rt_arena_refuse(uintptr_t p); /* questions about a block's size */

#endif
