/* weak_reads.h -- views when a session's updates need not be seen in order (without LP_MW).
 *
 * Without LP_MW a view is not a clock of updates, and as a bit set it would need one bit per update.  But updates are
 * seen for two reasons only: a session sees its own updates (LP_RYW); and it sees what its calls have read, which remains
 * seen (LP_MR) and is seen together with its later updates (LP_WFR).  So a view can be a clock of calls.  For each session
 * it says that everything read by the first n calls of the session is seen; in addition, it has the first m updates of the
 * call's own session.  (LP_RYW and LP_WFR together imply LP_MW, so that case does not occur here.)
 *
 * For one key, such a view is a union of prefixes of rows: the updates of a session on the key, in order; the updates on the
 * key that a session has read, in the order in which they were first read; for final calls, all updates on the key that
 * returned.  An item requires that all of them, except its source, come before its source.  To express this by few edges, each
 * row has a node after each of its elements, which all elements up to there precede.  For the elements after the source in
 * its row there is a tree of nodes.
 */
#ifndef LP_CHECK_WEAK_WEAK_READS_H
#define LP_CHECK_WEAK_WEAK_READS_H

#include "base/vec.h"
#include "check/weak/weak.h"
#include "check/weak/weak_calls.h"

/* One call is before another. */
struct lp_weak_edge {
	uint32_t from, to;
	uint32_t session; /* whose order requires it */
};

struct lp_weak_edges {
	LP_VEC(struct lp_weak_edge);
};

/* An update that a session has read. */
struct lp_weak_read {
	uint32_t update, call;
	uint32_t next; /* the next read of the same update, by another session; or LP_NO_OP */
};

struct lp_weak_reads {
	const struct lp_weak_calls *w;
	unsigned guarantees;
	bool settles;
	LP_VEC(struct lp_weak_read); /* by key, then session, then call */
	uint32_t *first;             /* of a key, and one more */
	uint32_t *of;                /* the first read of an update, or LP_NO_OP */
	uint32_t *returned;          /* by update: how many updates before it have returned */
	bool uses_trees;
};

void lp_weak_reads_open(struct lp_weak_reads *r, const struct lp_weak_calls *w, unsigned guarantees, bool settles);
void lp_weak_reads_close(struct lp_weak_reads *r);

/* Fills in the reads from the sources of the items. */
void lp_weak_reads_fill(struct lp_weak_reads *r, const uint32_t *source);

/* Adds edges that put all updates on the key that the call has seen before the update `source`; none if `source` is not an
 * update.  Returns whether the call has seen any. */
bool lp_weak_reads_demand(struct lp_weak_reads *r, uint32_t call, const uint32_t *clock, uint32_t key, uint32_t source,
			  struct lp_weak_edges *edges);

/* Adds the edges between the additional nodes (those of rows and trees) for that session.  Returns the total number of nodes:
 * the calls, twice, come first. */
uint32_t lp_weak_reads_nodes(const struct lp_weak_reads *r, uint32_t session, struct lp_weak_edges *edges);

#endif
