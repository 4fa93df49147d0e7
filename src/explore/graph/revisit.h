/* revisit.h -- inside the graph explorer: backward revisits.
 *
 * A read may also read from a write that is added later and does not depend on the read (TruSt's backward
 * revisit, graph_explorer.c).  To explore this, a new frame is opened with a copy of the graph.  The copy lacks the events that
 * were added after the read and are not in the write's past.  Then the write is added, and the read reads from it.
 */
#ifndef LP_EXPLORE_GRAPH_REVISIT_H
#define LP_EXPLORE_GRAPH_REVISIT_H

#include "explore/graph/frame.h"

/* Was e added maximally?  Three sorts of events never are: a write that has revisited a read, a spurious failure, and a choice of a number other than
 * 0.  For other reads and writes, the writes that were added before e count, and those in the past of `w`, the write that is to revisit a read
 * (LP_NO_EVENT: there is no such write).  The write w itself does not count.  A read e is maximal if none of the writes that count comes after e's rf
 * in co, and a write e if none of them comes after e in co.  All other events are maximal. */
bool lp_revisit_is_maximal(const struct lp_graph *, lp_eid e, lp_eid w);

/* Event e was just added to the graph.  Is the graph consistent, and is it not left out by symmetry (symmetry.h)? */
bool lp_revisit_accepts(const struct lp_explorer *, const struct lp_graph *, lp_eid e);
/* Records what the reductions and callbacks need to know about the event.  To be called for each event that was accepted. */
void lp_revisit_accepted(struct lp_explorer *, lp_eid e);

/* Is there a read that `write`, which is about to be added, might revisit: a read of the same
 * location that is not in the write's past? */
bool lp_revisit_finds_read(const struct lp_graph *, const struct lp_event *write);

/* The write of choice c is the last event of the top frame.  Opens a frame in which this write revisits the next read
 * that it may revisit, or returns false if there is none.  A revisit is made only if the read, and all events that the revisit removes, are
 * maximal.  Reads are tried from the one added last to the one added first, so each revisit removes all events that the revisit
 * before it removes, and more.  Therefore the search ends at the first event that is neither maximal nor in the write's past. */
bool lp_revisit_next(struct lp_explorer *, struct lp_choice *c);

/* The top frame was opened for the revisit of a read by a write.  Adds this write, at the next place in co that is consistent, and makes
 * it the rf of the read.  Returns false if there is no further place. */
bool lp_revisit_place(struct lp_explorer *, struct lp_choice *);

#endif
