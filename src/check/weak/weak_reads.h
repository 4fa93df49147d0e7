/* weak_reads.h -- views for conditions without LP_MW, where a call may have seen an update without the earlier updates of its
 * session.
 *
 * Without LP_MW a view is not a clock of updates, and as a bit set it would need one bit per update.  But a call has seen an
 * update for one of two reasons only.  Either its own session made the update (LP_RYW).  Or a call has read the update: then
 * the later calls of that session have seen it (LP_MR), and so have calls that see a later update of that session (LP_WFR).
 * So a view can be a clock of calls.  For each session it has a number n: everything that the first n calls of the session
 * have read is seen.  In addition, it has the first m updates of the call's own session.  (LP_RYW and LP_WFR together imply
 * LP_MW, so that case does not occur here.)
 *
 * For one key, such a view is a union of prefixes of rows: the updates of a session on the key, in order; the updates on the
 * key that a session has read, in the order in which they were first read; for final calls, all updates on the key that
 * returned.  An item requires that all of these updates, except its source, come before its source.  To express this with few
 * edges, each row has a node after each of its elements, and all elements up to that point precede the node.  The elements of
 * a row before the source are one prefix; those after it are covered by a tree of nodes.
 */
#ifndef LP_CHECK_WEAK_WEAK_READS_H
#define LP_CHECK_WEAK_WEAK_READS_H

#include "base/vec.h"
#include "check/weak/weak.h"
#include "check/weak/weak_calls.h"

/* An edge: one call comes before another. */
struct lp_weak_edge {
	uint32_t from, to;
	uint32_t session; /* the session whose order requires the edge */
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
	LP_VEC(struct lp_weak_read); /* sorted by key, then session, then call */
	uint32_t *first;             /* by key, with one more entry at the end */
	uint32_t *of;                /* for each update its first read, or LP_NO_OP */
	uint32_t *returned;          /* for each update, how many of the updates before it have returned */
	bool uses_trees;
};

void lp_weak_reads_open(struct lp_weak_reads *r, const struct lp_weak_calls *w, unsigned guarantees, bool settles);
void lp_weak_reads_close(struct lp_weak_reads *r);

/* Fills in the reads from the sources of the items. */
void lp_weak_reads_fill(struct lp_weak_reads *r, const uint32_t *source);

/* Adds edges that put all updates on the key that the call has seen before the update `source`; adds none if `source` is not
 * an update.  Returns whether the call has seen any update on the key. */
bool lp_weak_reads_demand(struct lp_weak_reads *r, uint32_t call, const uint32_t *clock, uint32_t key, uint32_t source,
			  struct lp_weak_edges *edges);

/* Adds the edges between the nodes of rows and trees for that session.  Returns the total number of nodes; the first ones are
 * the calls, each with two nodes. */
uint32_t lp_weak_reads_nodes(const struct lp_weak_reads *r, uint32_t session, struct lp_weak_edges *edges);

#endif
