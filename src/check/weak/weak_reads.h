/* weak_reads.h -- what has been seen, where a session's updates need not be seen in order.
 *
 * Without LP_MW a view is no clock of updates, and as bits it would take as many as there are updates.  But sets of
 * updates come about in two ways only: a session sees its own (LP_RYW), and what its calls have read, which stays seen
 * (LP_MR) and is seen with its later updates (LP_WFR).  So a view is a clock of calls: for each session, that what so many of
 * its calls have read is in it; and, apart from that, the first so many updates of the call's own session.  (LP_RYW and LP_WFR
 * together are LP_MW: with an update, what its session made before it is seen, and comes first.)
 *
 * Of one key, these are the first few of a row: the updates of a session on the key in order; the updates on the key that a session
 * has read, each where it was read first; all updates on the key that returned, for final calls.  An item demands that
 * all of them be before its source, the source itself apart.  To demand it by few edges, there is a node after each of a
 * row, which all up to there are before; and for what lies behind the source in its row a tree of nodes.
 */
#ifndef LP_CHECK_WEAK_WEAK_READS_H
#define LP_CHECK_WEAK_WEAK_READS_H

#include "base/vec.h"
#include "check/weak/weak.h"
#include "check/weak/weak_calls.h"

/* One call is before another. */
struct lp_weak_edge {
	uint32_t from, to;
	uint32_t session; /* for whom */
};

struct lp_weak_edges {
	LP_VEC(struct lp_weak_edge);
};

/* An update that a session has read. */
struct lp_weak_read {
	uint32_t update, call;
	uint32_t next; /* of the same update, by another session; or LP_NO_OP */
};

struct lp_weak_reads {
	const struct lp_weak_calls *w;
	unsigned guarantees;
	bool settles;
	LP_VEC(struct lp_weak_read); /* by key, then session, then call */
	uint32_t *first;             /* of a key, and one more */
	uint32_t *of;                /* the first one of an update, or LP_NO_OP */
	uint32_t *returned;          /* how many updates before this one did */
	bool uses_trees;
};

void lp_weak_reads_open(struct lp_weak_reads *r, const struct lp_weak_calls *w, unsigned guarantees, bool settles);
void lp_weak_reads_close(struct lp_weak_reads *r);

/* From the sources of the items. */
void lp_weak_reads_fill(struct lp_weak_reads *r, const uint32_t *source);

/* Adds the edges by which all updates on the key that the call has seen are before the update `source`; none if that is no
 * update.  Returns whether it has seen any. */
bool lp_weak_reads_demand(struct lp_weak_reads *r, uint32_t call, const uint32_t *clock, uint32_t key, uint32_t source,
			  struct lp_weak_edges *edges);

/* The edges between the further nodes that such edges lead from, for the demands of that session, and how many nodes there are
 * with them: calls, twice, come first. */
uint32_t lp_weak_reads_nodes(const struct lp_weak_reads *r, uint32_t session, struct lp_weak_edges *edges);

#endif
