/* own.h -- memory that only its thread can know of.
 *
 * A block is its thread's own from the moment the thread allocates it until the thread
 * writes, by an event, to memory that is not its own, or begins a thread: before that
 * nobody else can have come by the address.  (A plain write tells nobody, unless an event
 * after it does: to look there would be a race.)  What is written only there is seen
 * by no one yet, and does not keep an iteration of a loop from being redundant (retry.h).
 *
 * Two lists that only grow, and are cut when the program goes back; who has written
 * what in own memory at which moment, for plain accesses: events are in the graph.
 */
#ifndef LP_EXPLORE_OWN_H
#define LP_EXPLORE_OWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "program/program.h"

struct lp_own_block {
	lp_tid thread;
	uintptr_t loc;
	size_t size; /* 0: whatever the thread allocated before is no longer its own */
};

struct lp_own_access {
	lp_tid thread;
	bool write;
	uint32_t index; /* events that the thread had performed */
	uintptr_t loc;
	size_t size;
};

struct lp_own {
	bool on;
	struct { LP_VEC(struct lp_own_block); } blocks;
	struct { LP_VEC(struct lp_own_access); } accesses;
};

struct lp_own_mark {
	uint32_t blocks, accesses;
};

void lp_own_close(struct lp_own *);
static inline struct lp_own_mark lp_own_mark(const struct lp_own *o)
{
	return (struct lp_own_mark){ o->blocks.count, o->accesses.count };
}
void lp_own_rewind(struct lp_own *, struct lp_own_mark);

void lp_own_allocated(struct lp_own *, lp_tid, uintptr_t loc, size_t size);
/* The thread has done something that others can see. */
void lp_own_publish(struct lp_own *, lp_tid);
/* Is [loc, loc+size) within one block of the thread's own? */
bool lp_own_has(const struct lp_own *, lp_tid, uintptr_t loc, size_t size);
void lp_own_accessed(struct lp_own *, lp_tid, uint32_t index, uintptr_t loc, size_t size,
		     bool write);

/* Has the thread written to memory of its own since it had performed `index` events? */
bool lp_own_wrote_since(const struct lp_own *, lp_tid, uint32_t index);

#endif
