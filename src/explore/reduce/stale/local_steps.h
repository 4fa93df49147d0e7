/* local_steps.h -- remembers how threads went on in trials.
 *
 * What a thread does next depends on its live state, the answer to its operation, and what it then reads plainly.  So each
 * combination is tried only once.
 */
#ifndef LP_EXPLORE_REDUCE_LOCAL_STEPS_H
#define LP_EXPLORE_REDUCE_LOCAL_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "base/value.h"
#include "base/vec.h"
#include "explore/reduce/undone/undone.h"

/* What was tried, and the result.  A thread in live state `live` gets the answer `value` to operation number `op`, or
 * the operation fails spuriously. */
struct lp_local_step {
	uint32_t live, op;
	struct lp_value value;
	bool spurious;
	bool known;                /* the thread comes to live state `next`, at operation `next_op`.  If not `known`, the members
	                            * below have no meaning: the thread does something else than they can describe */
	bool fenced;               /* on the way the thread performs fences */
	uint32_t next, next_op;
	uint32_t read, read_count; /* the plain reads on the way: `read_count` elements of lp_local_steps.reads, from index `read` */
	bool writes;               /* on the way the thread writes plainly to its own memory, at `written` */
	bool stores;               /* the thread's next operation is a store to its own memory, at `written` */
	uintptr_t written;         /* the only memory that the thread writes or is about to store to */
	size_t size;               /* the size of this memory */
};

/* An access that a thread might make on its way back (ways_back.h). */
struct lp_back_access {
	uint32_t op;    /* the number of the operation; UINT32_MAX: a plain read, not an operation */
	uint32_t read;  /* if the access is a plain read: its index in lp_local_steps.reads */
	uint32_t clock; /* the index of its clock in lp_back_room.clocks */
};

/* A plain read, and the value that it found. */
struct lp_local_read {
	uintptr_t loc;
	size_t size;
	struct lp_value value;
};

/* The memory of a search for ways back (ways_back.h).  The next search uses it again. */
struct lp_back_room {
	struct { LP_VEC(uint32_t); } fixed;         /* the clocks that every search needs */
	struct { LP_VEC(struct lp_back_access); } accesses; /* the accesses that the thread might make */
	struct { LP_VEC(uint32_t); } clocks;        /* for each of these accesses, a clock of what happens before it */
	struct { LP_VEC(uint32_t); } visited;       /* for each visited state, a clock of what the thread knows there */
};

struct lp_local_steps {
	LP_VEC(struct lp_local_step);
	struct lp_back_room back; /* empty while a search uses it */
	struct { LP_VEC(struct lp_local_read); } reads;
	struct lp_hash_index by_hash;
	struct lp_undone_tried undone; /* not closed by lp_local_steps_close() */
};

void lp_local_steps_close(struct lp_local_steps *);
void lp_back_room_close(struct lp_back_room *);

/* lp_local_step_find() returns the step with the same live state, operation and answer as the given one; NULL if this was not tried
 * yet.  lp_local_step_put() adds a step.  Both pointers are valid until the next lp_local_step_put(). */
const struct lp_local_step *lp_local_step_find(struct lp_local_steps *, const struct lp_local_step *);
const struct lp_local_step *lp_local_step_put(struct lp_local_steps *, struct lp_local_step);

#endif
