/* note.h -- what the explorer notes about each event of a graph.
 *
 * A graph carries one note for each event, as its events are added, removed and copied,
 * and never looks at it.  Memory models do not see notes at all.  Only explore/ reads and
 * writes them: the explorer's reductions decide by them which graphs need not be visited.
 */
#ifndef LP_GRAPH_NOTE_H
#define LP_GRAPH_NOTE_H

#include "graph/graph.h"

struct lp_note {
	uint8_t stop;     /* why the thread stops after the event (explore/stops.h), or 0 */
	bool own;         /* a write to memory that no other thread can know yet */
	uint32_t since;   /* the event ends a redundant iteration, which began at that index of the thread */
	uint32_t twin;    /* 1 + the index of an earlier read (explore/reduce/stale/twins.h), or 0 */
	uint32_t live;    /* the live state of the thread before the event, or 0 */
	uint64_t uid;     /* equal for equal events with equal pasts */
};

static inline struct lp_note *lp_graph_note(const struct lp_graph *g, lp_eid e)
{
	return &g->notes[e];
}

/* The note of an event that is in the graph. */
static inline struct lp_note *lp_note_of(const struct lp_graph *g, const struct lp_event *e)
{
	return &g->notes[e - g->ev.at];
}

#endif
