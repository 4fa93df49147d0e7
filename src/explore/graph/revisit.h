/* revisit.h -- inside the graph explorer: reads that are given another write.
 *
 * A write that comes later than a read, and not after it, may be what the read reads (TruSt's
 * backward revisit, graph_explorer.c): a new frame is opened for the graph in which it does, without
 * what was added after the read and is not in the write's past.
 */
#ifndef LP_EXPLORE_GRAPH_REVISIT_H
#define LP_EXPLORE_GRAPH_REVISIT_H

#include "explore/graph/frame.h"

/* Was e added maximally, as far as the events before it and w's past can tell? */
bool lp_is_maximal(const struct lp_graph *, lp_eid e, lp_eid w);

/* Is the graph with its event e to be explored? */
bool lp_accepts(const struct lp_explorer *, const struct lp_graph *, lp_eid e);
/* It is. */
void lp_accepted(struct lp_explorer *, lp_eid e);

/* Is there a read that a write of its thread's, about to be added, might revisit?  It would
 * have to be of the same location, and not in the write's past. */
bool lp_finds_read(const struct lp_graph *, const struct lp_event *write);

/* The write of choice c, last event of the top frame, revisits the next read that it
 * may.  Reads are met from the last added to the first; all that would be taken out
 * with the first ones would be with the later ones, so the first event that is not
 * maximal ends the search. */
bool lp_revisit_next(struct lp_explorer *, struct lp_choice *c);

/* Puts the write that opened the top frame at the next place where all is consistent. */
bool lp_place_revisitor(struct lp_explorer *, struct lp_choice *);

#endif
