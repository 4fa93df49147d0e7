/* revisit.h -- inside the graph explorer: backward revisits.
 *
 * A read may also read from a write that is added later and does not depend on it (TruSt's backward
 * revisit, graph_explorer.c).  To explore this, a new frame is opened.  In its graph the read reads from the
 * write, and the events that were added after the read and are not in the write's past are removed.
 */
#ifndef LP_EXPLORE_GRAPH_REVISIT_H
#define LP_EXPLORE_GRAPH_REVISIT_H

#include "explore/graph/frame.h"

/* Was e added maximally?  Only the events that were added before e, and those in w's past, count. */
bool lp_revisit_is_maximal(const struct lp_graph *, lp_eid e, lp_eid w);

/* Event e was just added to the graph: should the graph be explored? */
bool lp_revisit_accepts(const struct lp_explorer *, const struct lp_graph *, lp_eid e);
/* To be called for each event that was accepted. */
void lp_revisit_accepted(struct lp_explorer *, lp_eid e);

/* Is there a read that `write`, which is about to be added, might revisit?  Such a read is of the same
 * location, and not in the write's past. */
bool lp_revisit_finds_read(const struct lp_graph *, const struct lp_event *write);

/* The write of choice c, which is the last event of the top frame, revisits the next read that it
 * may revisit, in a new frame.  Reads are tried from the last added to the first.  Each further revisit removes all events that the
 * previous one removes, and more.  So the search ends, and the function returns false, when an event to be removed is not maximal. */
bool lp_revisit_next(struct lp_explorer *, struct lp_choice *c);

/* Puts the write whose revisit opened the top frame at the next place in co that is consistent.  Returns false if there is none. */
bool lp_revisit_place(struct lp_explorer *, struct lp_choice *);

#endif
