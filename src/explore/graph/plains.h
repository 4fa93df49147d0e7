/* plains.h -- plain accesses, in the order in which they were performed.
 *
 * A log that only grows, and is cut when the program goes back.  Events are in the graph;
 * this is what threads did between them.  omitted_races.h looks there for accesses that were
 * left out, overwritten_iterations.h for what an iteration has left in memory.
 *
 * Of the accesses between two events of a thread some are not logged: one that lies within
 * another one, of the same kind, just before it; and beyond a number, all that the log then
 * says is that any memory may have been accessed (`size` is SIZE_MAX).
 */
#ifndef LP_EXPLORE_GRAPH_PLAINS_H
#define LP_EXPLORE_GRAPH_PLAINS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "program/program.h"

struct lp_plain_access {
	lp_tid thread;
	bool write;
	bool own;       /* to memory that only the thread knows of (own.h) */
	bool found;     /* a write to memory that the thread has found (own.h) */
	bool apart;     /* leaves nothing that live_state() does not tell of: the access is to the
	                 * thread's own stack, or a write that is an event, too; or it is a free */
	uint32_t index; /* events that the thread had performed */
	uint32_t nth;   /* of those with the same thread and index */
	uintptr_t loc;
	size_t size;
};

struct lp_plains {
	LP_VEC(struct lp_plain_access);
};

/* `nth` is filled in. */
void lp_plains_log(struct lp_plains *, struct lp_plain_access);

/* Has the thread written, other than apart, since it had performed `index` events? */
bool lp_plains_wrote_since(const struct lp_plains *, lp_tid, uint32_t index);

/* Has it since accessed memory that others may know of?  Then a graph with it is not to be given
 * up, whatever becomes of the thread: others may race with that. */
bool lp_plains_touched_since(const struct lp_plains *, lp_tid, uint32_t index);

#endif
