/* note.h -- what the explorer notes about each event of a graph.
 *
 * A graph has one note for each event, which is added, removed and copied together with the event.
 * Neither graphs nor memory models use the contents of notes.  Only explore/ reads and writes them: its
 * reductions use notes to decide which graphs need not be visited.
 */
#ifndef LP_GRAPH_NOTE_H
#define LP_GRAPH_NOTE_H

#include "graph/graph.h"

struct lp_note {
	uint8_t stop;     /* why the thread stops after the event (explore/stops.h), or 0 */
	bool own;         /* a write to memory that no other thread can know yet */
	uint32_t since;   /* if the event ends a redundant iteration: the index in its thread at which the
	                   * iteration began */
	uint32_t twin;    /* 1 + the index of an earlier read (explore/reduce/stale/twins.h), or 0 */
	uint32_t live;    /* the live state of the thread before the event, or 0 */
	uint64_t uid;     /* events with equal uids, in different graphs or at different times, are
	                   * equal and have equal pasts */
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
