/* seen.h -- sets of graphs that have been seen, by fingerprint.
 *
 * Two graphs are the same execution if each thread has the same events in the same order, with
 * the same operations, values, rf and co.  The order in which the events were added does not
 * matter.  So the fingerprint of a graph is the sum of the fingerprints of its events.  Unless a new
 * event is a write that is not last in co, updating the fingerprint costs one addition.
 *
 * Sets hold 128-bit fingerprints, each with a number; they do not hold the graphs.  The reductions also keep other
 * fingerprints in such sets.  A set may become larger than the processor's
 * caches, so this is a specialised table.  With hash_index.h the fingerprints would be stored in a second array, which takes more
 * memory and causes one more cache miss for each access.
 */
#ifndef LP_EXPLORE_GRAPH_SEEN_H
#define LP_EXPLORE_GRAPH_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "graph/graph.h"

struct lp_seen {
	struct lp_seen_slot { uint64_t a, b; uint32_t number; bool used; } *at;
	uint64_t mask, count;
};

/* The fingerprint of event `e`.  It consists of the event's thread and index, what the event did, and the thread and index of the
 * write that it reads from or directly overwrites. */
struct lp_fingerprint lp_graph_event_fingerprint(const struct lp_graph *, lp_eid e);

static inline void lp_fingerprint_plus(struct lp_fingerprint *f, struct lp_fingerprint g)
{
	f->a += g.a;
	f->b += g.b;
}

struct lp_fingerprint lp_graph_fingerprint(const struct lp_graph *);

/* A zeroed lp_seen is an empty set.  lp_seen_clear() makes a set empty and keeps its memory. */
void lp_seen_close(struct lp_seen *);
void lp_seen_clear(struct lp_seen *);

/* The number that is stored with `f`; UINT32_MAX if `f` is not in the set. */
uint32_t lp_seen_number(const struct lp_seen *, struct lp_fingerprint f);

/* Adds `f` with this number to the set.  If `f` is already in the set, it keeps the lower of the two numbers.  Returns true if `f` was
 * not in the set. */
bool lp_seen_put(struct lp_seen *, struct lp_fingerprint f, uint32_t number);

#endif
