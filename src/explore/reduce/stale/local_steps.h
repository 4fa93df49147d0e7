/* local_steps.h -- how threads go on, as far as that has been tried.
 *
 * What a thread does next depends on its live state, the answer to its operation, and what it then reads plainly.
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

/* A thread in live state `live`, at operation number `op`, is answered `value`, or fails spuriously. */
struct lp_local_step {
	uint32_t live, op;
	struct lp_value value;
	bool spurious;
	bool known;                /* it comes to live state `next`, at operation `next_op`; having read plainly ... */
	bool fenced;               /* (and performed fences) */
	uint32_t next, next_op;
	uint32_t read, read_count; /* ... these, of `reads`, ... */
	bool writes;               /* ... or having written plainly, in its own memory, ... */
	bool stores;               /* ... or being about to store there, by an operation, ... */
	uintptr_t written;         /* ... that, only, ... */
	size_t size;               /* ... and read nothing */
};

struct lp_back_access {
	uint32_t op;   /* UINT32_MAX: a plain read, not an operation */
	uint32_t read; /* number of a plain read */
	uint32_t clock;
};

struct lp_local_read {
	uintptr_t loc;
	size_t size;
	struct lp_value value;
};

/* What a search for ways back (ways_back.h) takes.  The next search uses it again. */
struct lp_back_room {
	struct { LP_VEC(uint32_t); } fixed;         /* clocks that every search has */
	struct { LP_VEC(struct lp_back_access); } accesses; /* the accesses that the thread might make */
	struct { LP_VEC(uint32_t); } clocks;        /* what happens before them */
	struct { LP_VEC(uint32_t); } visited;       /* what is known in the states that are visited: clocks */
};

struct lp_local_steps {
	LP_VEC(struct lp_local_step);
	struct lp_back_room back; /* empty while a search has it */
	struct { LP_VEC(struct lp_local_read); } reads;
	struct lp_hash_index by_hash;
	struct lp_undone_tried undone; /* closed by its owner */
};

void lp_local_steps_close(struct lp_local_steps *);
void lp_back_room_close(struct lp_back_room *);

/* The step with the same live state, operation and answer; NULL if it has not been tried.  Until another one is put there. */
const struct lp_local_step *lp_local_step_find(struct lp_local_steps *, const struct lp_local_step *);
const struct lp_local_step *lp_local_step_put(struct lp_local_steps *, struct lp_local_step);

#endif
