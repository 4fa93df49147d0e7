/* revisit.h -- inside the graph explorer: backward revisits.
 *
 * A read may also read from a write that is added later and does not depend on it (TruSt's backward
 * revisit, graph_explorer.c).  To explore this, a new frame is opened.  Its graph lacks the events that
 * were added after the read and are not in the write's past; then the write is added, and the read reads from it.
 */
#ifndef LP_EXPLORE_GRAPH_REVISIT_H
#define LP_EXPLORE_GRAPH_REVISIT_H

#include "explore/graph/frame.h"

/* Was e added maximally?  Only the events that were added before e, and those in the past of w (if it is not
 * LP_NO_EVENT), count. */
bool lp_revisit_is_maximal(const struct lp_graph *, lp_eid e, lp_eid w);

/* Event e was just added to the graph: should the graph be explored? */
bool lp_revisit_accepts(const struct lp_explorer *, const struct lp_graph *, lp_eid e);
/* To be called for each event that was accepted. */
void lp_revisit_accepted(struct lp_explorer *, lp_eid e);

/* Is there a read that `write`, which is about to be added, might revisit?  Such a read is at the same
 * location, and is not in the write's past. */
bool lp_revisit_finds_read(const struct lp_graph *, const struct lp_event *write);

/* The write of choice c is the last event of the top frame.  Opens a frame in which it revisits the next read
 * that it may revisit, or returns false if there is none.  Reads are tried from the last added to the first, and
 * each revisit removes all events that the previous one removes, and more.  So no read is left when an event that
 * would be removed is not maximal. */
bool lp_revisit_next(struct lp_explorer *, struct lp_choice *c);

/* Adds the write whose revisit opened the top frame, at the next place in co that is consistent, and makes the
 * read read from it.  Returns false if there is no further place. */
bool lp_revisit_place(struct lp_explorer *, struct lp_choice *);

#endif
