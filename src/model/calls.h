/* calls.h -- the relations between the calls of an execution, and the order that clients could add.
 *
 * A call is a contiguous part of the events of a thread.  A client of the object can order calls:
 * it makes one after another in the same thread, or waits for a message that is sent after the other.
 * So a checker of all clients asks: with which additional orders h on its calls is the graph still
 * an execution?
 *
 * For most graphs three relations between calls answer that for every h.  Let first(a) and
 * last(a) be the first and last event of a call.
 *
 *     reaches  a reaches b   iff  first(a) (po | rf)* last(b)
 *     happens  a happens b   iff  first(a) hb* last(b)
 *     clashes  b clashes a   iff  with last(b) hb first(a) coherence would be broken:
 *                                 some e1 hb* last(b), some e2 with first(a) hb* e2, e2 eco e1
 *
 * With h, happens-before grows by the pairs last(b) -> first(a) for which (b, a) is in
 * T = h ; (happens ; h)*.  So coherence holds iff no pair of T clashes; and po | rf stays
 * acyclic iff no (b, a) of h ; (reaches ; h)* has a reaches b.
 *
 * Under ra and rc11 this is exact (`exact`) if there is at most one seq_cst event, and no location is
 * accessed in parts (graph/parts.h), which `clashes` does not cover.  Under sc it is always exact, with
 * (po | rf | co | fr)* for all three relations: clashes is then the inverse of reaches.
 * Otherwise the relations allow too much, and lp_calls_possible() decides.
 *
 * A fourth relation is what clients can rely on:
 *
 *     given    a given b     iff  a happens b, with an hb to which partial locks (linchpin.h) add nothing
 */
#ifndef LP_MODEL_CALLS_H
#define LP_MODEL_CALLS_H

#include "model/model.h"

enum { LP_CALLS = 32 };

struct lp_call_span {
	uint32_t thread;
	uint32_t first, end; /* events [first, end) of it; at least one */
};

struct lp_calls {
	uint32_t count;
	struct lp_call_span at[LP_CALLS];
	/* Bit b of reaches[a], happens[a], given[a]; bit a of clashes[b]. */
	uint32_t reaches[LP_CALLS], happens[LP_CALLS], clashes[LP_CALLS], given[LP_CALLS];
	bool exact;
	uint32_t *rank; /* scratch */
	uint32_t rank_room;
};

void lp_calls_close(struct lp_calls *);

/* Fills in the relations; count and spans are given. */
void lp_calls_relate(struct lp_calls *, const struct lp_graph *, const struct lp_model_class *);

/* Is the graph consistent with an order on its calls, in which call b comes before call a if
 * bit b of before[a] is set?  This builds the graph of a client with that order: after each call
 * that precedes others it adds a release write to a location of its own, and before those others
 * an acquire read of it.  Under tso calls of the same thread are less ordered than that, so clients
 * that make calls in the same thread are tried as well, in every way. */
bool lp_calls_possible(const struct lp_calls *, const struct lp_graph *,
		       const struct lp_model_class *, const uint32_t *before);

/* Fills in `given` for a graph with partial locks, from a copy of the graph in which they order nothing. */
void lp_calls_discount(struct lp_calls *, const struct lp_graph *, const struct lp_model_class *);

#endif
