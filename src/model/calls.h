/* calls.h -- an execution as its calls see it, and what clients could add to it.
 *
 * A call is a stretch of the events of a thread.  A client of the object can order calls:
 * make one in a thread after another, or wait for a message sent after it.  So the
 * question that a checker of all clients asks of an execution is: with which orders h on
 * its calls is it still an execution?
 *
 * For most graphs three relations between calls answer that for every h.  Let first(a) and
 * last(a) be the first and last event of a call.
 *
 *     reaches  a reaches b   iff  first(a) (po | rf)* last(b)
 *     happens  a happens b   iff  first(a) hb* last(b)
 *     clashes  b clashes a   iff  with last(b) hb first(a) coherence would be broken:
 *                                 some e1 hb* last(b), some e2 with first(a) hb* e2, e2 eco e1
 *
 * With h, what happens before what grows by the pairs last(b) -> first(a) for which
 * (b, a) is in T = h ; (happens ; h)*.  So coherence holds iff no pair of T clashes; and
 * po | rf stays acyclic iff no (b, a) of h ; (reaches ; h)* has a reaches b.
 *
 * That is exact (`exact`) under ra and rc11 if there are not two seq_cst events, and no location is
 * accessed in parts (graph/parts.h): what happens there is not in `clashes`.
 * Under sc, too, with (po | rf | co | fr)* for all three: clashes is the inverse of reaches.
 * Else what they allow is too much, and lp_calls_possible() tells.
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
	/* Bit b of reaches[a], happens[a]; bit a of clashes[b]. */
	uint32_t reaches[LP_CALLS], happens[LP_CALLS], clashes[LP_CALLS];
	bool exact;
	uint32_t *rank; /* scratch */
	uint32_t rank_room;
};

void lp_calls_close(struct lp_calls *);

/* Fills in the relations; count and spans are given. */
void lp_calls_relate(struct lp_calls *, const struct lp_graph *, const struct lp_model_class *);

/* Is the graph consistent with the order in which before[a] has bit b if call b comes
 * before call a?  Decided by building the graph of such a client: a release write of its
 * own after each call that precedes others, and an acquire read of it before those.  Under
 * tso, where calls in one thread are less ordered than that, with calls in one
 * thread as well, in every way. */
bool lp_calls_possible(const struct lp_calls *, const struct lp_graph *,
		       const struct lp_model_class *, const uint32_t *before);

#endif
