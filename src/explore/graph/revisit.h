/* revisit.h -- inside the graph explorer: backward revisits.
 *
 * A read may also read from a write that is added later and does not depend on it (TruSt's backward
 * revisit, graph_explorer.c).  Then a new frame is opened with the graph in which it does.  Events that were
 * added after the read and are not in the write's past are removed from that graph.
 */
#ifndef LP_EXPLORE_GRAPH_REVISIT_H
#define LP_EXPLORE_GRAPH_REVISIT_H

#include "explore/graph/frame.h"

/* Was e added maximally, with respect to the events before it and w's past? */
bool lp_revisit_is_maximal(const struct lp_graph *, lp_eid e, lp_eid w);

/* Is the graph, whose last event is e, to be explored? */
bool lp_revisit_accepts(const struct lp_explorer *, const struct lp_graph *, lp_eid e);
/* To be called for an event that was accepted. */
void lp_revisit_accepted(struct lp_explorer *, lp_eid e);

/* Is there a read that `write`, which is about to be added, might revisit: of the same location, and not
 * in the write's past? */
bool lp_revisit_finds_read(const struct lp_graph *, const struct lp_event *write);

/* The write of choice c, the last event of the top frame, revisits the next read that it
 * may.  Reads are tried from the last added to the first.  Each further read removes all the
 * events that the reads before it remove, and more, so the first event that is not maximal
 * ends the search. */
bool lp_revisit_next(struct lp_explorer *, struct lp_choice *c);

/* Puts the write that opened the top frame at the next place in co that is consistent. */
bool lp_revisit_place(struct lp_explorer *, struct lp_choice *);

#endif
