/* plains.h -- plain accesses, in the order in which they were performed.
 *
 * This log has what threads did between the events of the graph.  It grows while the program runs,
 * and is cut when the program goes back.  omitted_races.h searches the log for the accesses of iterations
 * that are left out, and overwritten_iterations.h for the bytes that an iteration has written.
 *
 * Of the accesses between two events of a thread, some are not logged.  An access is not logged if it lies within an access of
 * the same kind (equal flags below) that was logged just before.  And if there are more accesses than a limit, the accesses beyond the limit are
 * replaced by one entry for each kind, which says that any memory may have been accessed (`size` is SIZE_MAX).
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
	bool own;       /* an access to memory that only this thread knows (own.h) */
	bool found;     /* a write to memory that the thread has found (own.h) */
	bool apart;     /* live_state() or the graph already has the effect of the access: it is an access to the thread's
	                 * own stack, a write that is also an event, or a free */
	uint32_t index; /* how many events the thread had performed */
	uint32_t nth;   /* the index of the access among those with the same thread and `index` */
	uintptr_t loc;
	size_t size;
};

struct lp_plains {
	LP_VEC(struct lp_plain_access);
};

/* Appends the access to the log, and fills in its `nth`. */
void lp_plains_log(struct lp_plains *, struct lp_plain_access);

/* Has the thread made a plain write after its first `index` events?  Writes with `apart` do not
 * count. */
bool lp_plains_wrote_since(const struct lp_plains *, lp_tid, uint32_t index);
/* The same, but counting only writes that the thread made before its event with index `end`. */
bool lp_plains_wrote_between(const struct lp_plains *, lp_tid, uint32_t index, uint32_t end);

/* Has the thread, after its first `index` events, accessed memory that other threads may know?  If so,
 * the graph must not be abandoned, because other threads may race with this access. */
bool lp_plains_touched_since(const struct lp_plains *, lp_tid, uint32_t index);

#endif
