/* weak_reads.h -- views for conditions without LP_MW, where a call may have seen an update without the earlier updates of its
 * session.
 *
 * Without LP_MW a view cannot be a clock of updates (weak_views.h), and a bit set would need one bit per update.  But there are only two
 * reasons why a call c has seen an update.  First, c's own session made the update (LP_RYW).  Second, some call r has read the
 * update, and c is r or a later call of the session of r (LP_MR), or c has seen a later update of the session of r (LP_WFR).
 * So a view can be a clock of calls: for each session it has a number n, which says that all updates that the first n calls of
 * the session have read are seen.  With LP_RYW, the earlier updates of the call's own session are also seen; they follow from
 * the call and are not stored in the view.  (LP_RYW and LP_WFR together imply LP_MW, so this combination does not occur here.)
 *
 * The updates of one key in such a view are a union of prefixes of rows.  A row is a list of updates of the key: those that a
 * session made, in order; those that a session has read, in the order in which they were first read; or, for final calls, all
 * that returned.  An item requires that all these updates, except its source, come before its source.  To express this with
 * few edges, each row has a node for each of its elements: the element and all elements before it in the row precede the node.
 * If the source is in the row, the elements before the source are a prefix, which has a node, and the elements after the source
 * are covered by nodes of a tree.
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
	uint32_t *first;             /* by key, with one more entry at the end: the index of the first read of the key */
	uint32_t *of;                /* for each update the index of its first read, or LP_NO_OP */
	uint32_t *returned;          /* for each update, the number of updates with smaller numbers that returned */
	bool uses_trees;             /* lp_weak_reads_demand() has used a node of a tree */
};

void lp_weak_reads_open(struct lp_weak_reads *r, const struct lp_weak_calls *w, unsigned guarantees, bool settles);
void lp_weak_reads_close(struct lp_weak_reads *r);

/* Fills in the reads from the sources of the items. */
void lp_weak_reads_fill(struct lp_weak_reads *r, const uint32_t *source);

/* Adds edges which say that all updates of the key that the call has seen come before the update `source`; adds none if
 * `source` is not an update.  `clock` is the view of the call.  Returns true if the call has seen any update of the key. */
bool lp_weak_reads_demand(struct lp_weak_reads *r, uint32_t call, const uint32_t *clock, uint32_t key, uint32_t source,
			  struct lp_weak_edges *edges);

/* Adds the edges of the rows and trees that orders of this session need.  Returns the total number of nodes; the first nodes
 * are those of the calls, two for each call. */
uint32_t lp_weak_reads_nodes(const struct lp_weak_reads *r, uint32_t session, struct lp_weak_edges *edges);

#endif
