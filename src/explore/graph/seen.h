/* seen.h -- graphs by fingerprint: which have been seen.
 *
 * Two graphs are the same execution if they have the same events, each thread in its own
 * order, with the same operations, values, rf and co; in which order the events were added
 * does not matter.  So a graph's fingerprint is the sum of those of its events, and
 * follows an event that is added by one addition, as long as writes go to the end of co.
 *
 * Sets hold 128-bit fingerprints, each with a number; they do not hold the graphs.
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

/* Event `e`: its thread and index, what it did, and, by thread and index, what it reads
 * from and what it directly overwrites. */
struct lp_fingerprint lp_event_fingerprint(const struct lp_graph *, lp_eid e);

static inline void lp_fingerprint_plus(struct lp_fingerprint *f, struct lp_fingerprint g)
{
	f->a += g.a;
	f->b += g.b;
}

static inline void lp_fingerprint_minus(struct lp_fingerprint *f, struct lp_fingerprint g)
{
	f->a -= g.a;
	f->b -= g.b;
}

struct lp_fingerprint lp_graph_fingerprint(const struct lp_graph *);

/* A zeroed set is empty. */
void lp_seen_close(struct lp_seen *);
void lp_seen_clear(struct lp_seen *);

/* The number of `f`; UINT32_MAX if it is not there. */
uint32_t lp_seen_number(const struct lp_seen *, struct lp_fingerprint f);

/* Puts `f` there, or lowers its number.  True if it was not there. */
bool lp_seen_put(struct lp_seen *, struct lp_fingerprint f, uint32_t number);

#endif
