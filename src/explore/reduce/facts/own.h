/* own.h -- memory that only its thread can know of.
 *
 * A block is its thread's own from the moment the thread allocates it until the thread
 * writes, by an event, to memory that is not its own, or begins a thread: before that
 * no other thread can know the address.  (A plain write does not tell, unless an event after
 * it does: to look there would be a race.)  What is written only there is not seen by others yet.
 *
 * Other memory can be found: the thread is the first to access it, by a plain write, and until its
 * next event that others can see it goes on writing there.  Others may know of that memory, so it
 * is not the thread's own.  But an access that comes after that event is ordered after all these
 * writes, by whichever thread: omitted_races.h can tell without knowing names.
 *
 * A list that only grows, and is cut when the program goes back.  The blocks of one thread are linked.
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
	bool found;     /* or else allocated */
	uint32_t index; /* with size 0: of the event */
	uint32_t before; /* 1 + the number of the thread's block before it, or 0 */
	uintptr_t loc;
	size_t size;    /* 0: whatever the thread allocated before is no longer its own */
};

struct lp_own {
	bool on;
	struct { LP_VEC(struct lp_own_block); } blocks;
	struct { LP_VEC(uint32_t); } last; /* by thread: 1 + the number of its last block, or 0 */
};

void lp_own_close(struct lp_own *);
/* Back to the first `count` blocks. */
void lp_own_cut(struct lp_own *, uint32_t count);
void lp_own_allocated(struct lp_own *, lp_tid, uintptr_t loc, size_t size);
/* `now`, a plain access, is about to be recorded: does it write to memory that its thread has found?
 * What the first thread did before it began another does not count. */
bool lp_own_finds(struct lp_own *, const struct lp_race *, const struct lp_graph *,
		  const struct lp_race_access *now, uintptr_t loc, size_t size);
/* The thread has done something that others can see, by its event of that index. */
void lp_own_publish(struct lp_own *, lp_tid, uint32_t index);
/* Is [loc, loc+size) within one block of the thread's own? */
bool lp_own_has(const struct lp_own *, lp_tid, uintptr_t loc, size_t size);
/* Is it within memory that another thread has found, and ended that while in the past of the clock? */
bool lp_own_was_found(const struct lp_own *, lp_tid, uintptr_t loc, size_t size, const uint32_t *clock);
/* Is it within memory that another thread has allocated, and that was still its own in the past of the clock? */
bool lp_own_is_untold(const struct lp_own *, lp_tid, uintptr_t loc, size_t size, const uint32_t *clock);
#endif
