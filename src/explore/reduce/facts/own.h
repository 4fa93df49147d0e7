/* own.h -- memory that only its thread can know of.
 *
 * When a thread allocates a block, the block is the thread's own.  It remains so until the thread
 * writes, by an event, to memory that is not its own, or starts a thread: before that
 * no other thread can know the address.  (A plain write of the address does not count, because another thread that reads the address
 * there without an event in between would race with this write.)  Other threads cannot see writes to such a block.
 *
 * A thread *finds* memory if its first access to the memory is a plain write, and no other thread has accessed the memory before.  Up to the
 * thread's next event that other threads can see, its writes to that memory belong to the find.  Other threads may know the address, so the
 * memory is not the thread's own.  But if an access by any thread happens after that event, it happens after all writes of the
 * find.  omitted_races.h uses this for accesses whose thread it does not know.
 *
 * A single list holds own and found blocks.  The list grows while the program runs, and is cut when the program goes back.  The
 * blocks of a thread are linked.
 */
#ifndef LP_EXPLORE_REDUCE_FACTS_OWN_H
#define LP_EXPLORE_REDUCE_FACTS_OWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "graph/graph.h"
#include "model/race.h"
#include "program/program.h"

struct lp_own_block {
	lp_tid thread;
	bool found;     /* the thread has found the memory; otherwise it has allocated it */
	uint32_t index; /* if `size` is 0: the index of the thread's event that published its blocks */
	uint32_t before; /* 1 + the index in the list of the thread's block before this one; 0: there is none */
	uintptr_t loc;
	size_t size;    /* 0: this entry is not a block.  It says that the thread's blocks before it in the list are no longer the
	                 * thread's own */
};

struct lp_own {
	bool on;
	bool any;       /* a thread has allocated or found memory, in some execution */
	struct { LP_VEC(struct lp_own_block); } blocks;
	struct { LP_VEC(uint32_t); } last; /* by thread: 1 + the index in `blocks` of its last block, or 0 */
};

void lp_own_close(struct lp_own *);
/* Keeps only the first `count` blocks. */
void lp_own_cut(struct lp_own *, uint32_t count);
/* Records that the thread has allocated a block. */
void lp_own_allocated(struct lp_own *, lp_tid, uintptr_t loc, size_t size);
/* `now`, a plain access, is about to be recorded: does it write to memory that its thread has found?
 * Accesses of the first thread before it started another thread do not count. */
bool lp_own_finds(struct lp_own *, const struct lp_race *, const struct lp_graph *,
		  const struct lp_race_access *now, uintptr_t loc, size_t size);
/* Records that other threads can see the thread's event with that index. */
void lp_own_publish(struct lp_own *, lp_tid, uint32_t index);
/* Is [loc, loc+size) within one block of the thread's own? */
bool lp_own_has(const struct lp_own *, lp_tid, uintptr_t loc, size_t size);
/* Is the range within memory that another thread has found, and does `clock` contain the event that ended the find? */
bool lp_own_was_found(const struct lp_own *, lp_tid, uintptr_t loc, size_t size, const uint32_t *clock);
/* Both functions ask whether the range is within memory that another thread has allocated.  lp_own_is_told() also asks whether `clock`
 * contains the event with which the memory ceased to be that thread's own, and lp_own_is_untold() whether `clock` does not contain such an
 * event. */
bool lp_own_is_told(const struct lp_own *, lp_tid, uintptr_t loc, size_t size, const uint32_t *clock);
bool lp_own_is_untold(const struct lp_own *, lp_tid, uintptr_t loc, size_t size, const uint32_t *clock);
#endif
