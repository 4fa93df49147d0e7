/* plains.h -- plain accesses, in the order in which they were performed.
 *
 * This log has what threads did between the events of the graph.  It only grows, and is cut when
 * the program goes back.  omitted_races.h searches it for accesses that were left out,
 * overwritten_iterations.h for what an iteration has left in memory.
 *
 * Some accesses between two events of a thread are not logged: an access that lies within the one
 * just before it, of the same kind; and all accesses beyond a limit.  In the latter case a single
 * entry says that any memory may have been accessed (`size` is SIZE_MAX).
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
	bool own;       /* to memory that only this thread knows (own.h) */
	bool found;     /* a write to memory that the thread has found (own.h) */
	bool apart;     /* all that it leaves behind is part of live_state() or the graph: the access is to
	                 * the thread's own stack, or is a write that is also an event; or it is a free */
	uint32_t index; /* events that the thread had performed */
	uint32_t nth;   /* its index among those with the same thread and `index` */
	uintptr_t loc;
	size_t size;
};

struct lp_plains {
	LP_VEC(struct lp_plain_access);
};

/* `nth` is filled in. */
void lp_plains_log(struct lp_plains *, struct lp_plain_access);

/* Since its first `index` events, has the thread written to memory, other than `apart`? */
bool lp_plains_wrote_since(const struct lp_plains *, lp_tid, uint32_t index);
/* And before its event number `end` was performed? */
bool lp_plains_wrote_between(const struct lp_plains *, lp_tid, uint32_t index, uint32_t end);

/* Since then, has it accessed memory that other threads may know?  Then its graph must not be
 * abandoned, whatever the thread does next, because other threads may race with that access. */
bool lp_plains_touched_since(const struct lp_plains *, lp_tid, uint32_t index);

#endif
