/* arena.h -- inside the runtime: the heap of processes (program/process.h).
 *
 * Blocks that the set-up and the calls allocate are in slots of one arena in the slab of
 * thread 0, so that an explorer can rearrange them.  If the set-up allocates a block that is too
 * large for a slot, this block never moves.  If a call allocates such a block, it is an error
 * ("unsupported").
 */
#ifndef LP_RUNTIME_MEMORY_ARENA_H
#define LP_RUNTIME_MEMORY_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RT_SLOTS = 128, RT_SLOT_SIZE = 256, RT_SLOT_HEAD = 16 };

/* Creates the arena in the slab of thread 0.  To be called before thread 0 runs. */
void rt_arena_open(void);

/* To be called when the set-up has ended.  From now on only the explorer knows which bytes belong to blocks; in the shadow,
 * all bytes of the arena count as written. */
void rt_arena_share(void);

/* The slot into which a word points; RT_SLOTS if it points into none.  The lowest three and the highest 16 bits
 * of the word are ignored. */
uint32_t rt_arena_slot(uint64_t word);

/* rt_heap_alloc(), rt_heap_free() and similar functions call the following. */
bool rt_arena_takes(size_t size, size_t align, uintptr_t pc);
void *rt_arena_alloc(size_t size, bool zeroed, uintptr_t pc);
bool rt_arena_has(uintptr_t p);
void rt_arena_free(uintptr_t p, uintptr_t pc);
_Noreturn void rt_arena_complain(uintptr_t p, size_t size, bool write, uintptr_t pc); /* reports an invalid access in
                                                                                       * the set-up */
void rt_arena_refuse(uintptr_t p); /* reports that the size of a block was asked for, which is not
                                    * supported */

#endif
