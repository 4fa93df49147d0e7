/* calls.h -- the relations between the calls of an execution, and the order that clients could add.
 *
 * A call is a contiguous part of the events of a thread.  A client of the object can order two calls:
 * it makes them one after the other in the same thread, or it sends a message after the first call
 * and waits for this message before the second.  So a checker of all clients asks: for which
 * additional orders h on the calls is the graph still an execution?
 *
 * For most graphs three relations between calls answer this question for every h.  Let first(a) and
 * last(a) be the first and last event of a call.
 *
 *     reaches  a reaches b   iff  first(a) (po | rf)* last(b)
 *     happens  a happens b   iff  first(a) hb* last(b)
 *     clashes  b clashes a   iff  with last(b) hb first(a) coherence would be broken:
 *                                 some e1 hb* last(b), some e2 with first(a) hb* e2, e2 eco e1
 *
 * With h, happens-before grows by the pairs last(b) -> first(a) for which (b, a) is in
 * T = h ; (happens ; h)*.  So coherence holds iff b clashes a for no (b, a) of T.  And po | rf stays
 * acyclic iff a reaches b for no (b, a) of h ; (reaches ; h)*.
 *
 * Under ra and rc11 (lp_model_class.coherence_suffices) this answer is exact (`exact`) if there is at most one
 * seq_cst event, and no location is accessed in parts (graph/parts.h), which `clashes` does not cover.  Under sc
 * the answer is always exact.  There reaches and happens are the same relation, with (po | rf | co | fr)* in their
 * definitions, and clashes is its inverse.  In all other cases the relations allow too much, and lp_calls_possible() decides.
 *
 * A fourth relation contains the happens-before between calls that clients can rely on:
 *
 *     given    a given b     iff  a happens b, even if partial locks (linchpin.h) add nothing to hb
 */
#ifndef LP_MODEL_CALLS_H
#define LP_MODEL_CALLS_H

#include "model/model.h"

enum { LP_CALLS = 32 };

struct lp_call_span {
	uint32_t thread;
	uint32_t first, end; /* the call consists of events [first, end) of the thread; at least one */
};

struct lp_calls {
	uint32_t count;
	struct lp_call_span at[LP_CALLS];
	/* Bit b of reaches[a] is set if a reaches b; happens and given likewise.  Bit a of
	 * clashes[b] is set if b clashes a. */
	uint32_t reaches[LP_CALLS], happens[LP_CALLS], clashes[LP_CALLS], given[LP_CALLS];
	bool exact;
	uint32_t *rank; /* scratch */
	uint32_t rank_room;
};

void lp_calls_close(struct lp_calls *);

/* Fills in the relations.  The caller has filled in `count` and the spans. */
void lp_calls_relate(struct lp_calls *, const struct lp_graph *, const struct lp_model_class *);

/* Is the graph consistent with an order on its calls?  In this order, call b comes before call a if
 * bit b of before[a] is set.  The function builds the graph of a client with that order: after each
 * call that precedes other calls it adds a release write to a new location, and before each of
 * those other calls an acquire read of that location.  Under tso two calls in the same thread are
 * less ordered than two calls with such a message between them.  So under tso the function also
 * tries every client that makes some of the calls in the same thread. */
bool lp_calls_possible(const struct lp_calls *, const struct lp_graph *,
		       const struct lp_model_class *, const uint32_t *before);

/* The same for a client that makes ordered calls one after the other in the same thread, as far as the order allows.  Then a release
 * fence of a call, and in C11 a release sequence, continues in the next call of the thread.  With a message between the two calls it
 * would not. */
bool lp_calls_possible_in_threads(const struct lp_calls *, const struct lp_graph *,
				  const struct lp_model_class *, const uint32_t *before);

/* Fills in `given` for a graph with partial locks, from a copy of the graph in which partial locks order nothing. */
void lp_calls_discount(struct lp_calls *, const struct lp_graph *, const struct lp_model_class *);

#endif
