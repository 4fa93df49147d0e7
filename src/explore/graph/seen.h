/* seen.h -- sets of graphs that have been seen, by fingerprint.
 *
 * Two graphs are the same execution if each thread has the same events in the same order, with
 * the same operations, values, rf and co.  The order in which the events were added does not
 * matter.  So the fingerprint of a graph is the sum of the fingerprints of its events.  If a new
 * event does not change co below its end, updating the fingerprint costs one addition.
 *
 * Sets hold 128-bit fingerprints, each with a number; they do not hold the graphs.  The reductions also keep other
 * fingerprints in such sets.  A set may become larger than the processor's
 * caches.  So it is a specialised table: hash_index.h, with the fingerprints stored apart, would take more memory and one more
 * cache miss.
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

/* The fingerprint of event `e`: its thread and index, what it did, and the events, by thread and
 * index, that it reads from and directly overwrites. */
struct lp_fingerprint lp_graph_event_fingerprint(const struct lp_graph *, lp_eid e);

static inline void lp_fingerprint_plus(struct lp_fingerprint *f, struct lp_fingerprint g)
{
	f->a += g.a;
	f->b += g.b;
}

struct lp_fingerprint lp_graph_fingerprint(const struct lp_graph *);

/* A zeroed set is empty. */
void lp_seen_close(struct lp_seen *);
void lp_seen_clear(struct lp_seen *);

/* The number of `f`; UINT32_MAX if `f` is not in the set. */
uint32_t lp_seen_number(const struct lp_seen *, struct lp_fingerprint f);

/* Adds `f` to the set, or lowers its number.  Returns true if `f` was not in the set. */
bool lp_seen_put(struct lp_seen *, struct lp_fingerprint f, uint32_t number);

#endif
