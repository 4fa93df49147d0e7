/* redundant_rereads.h -- reads that led nowhere.
 *
 *     if (load(&slot) == EMPTY)                     a
 *         continue;
 *     value = exchange(&slot, EMPTY);               b
 *     if (value == EMPTY)
 *         continue;                                 c is where it goes on
 *
 * If b finds the slot empty the thread is where it would be had a found it so.  For the
 * all-clients check such an execution need not be carried on:
 *
 * Let a and b be two reads of one location by a thread, one directly after the other; a is a
 * load; b writes nothing (a load, a failed compare-exchange, or idle: silent_rmw.h) and has an order at
 * least as strong.  And let the thread, between a and its next operation c, have asked for
 * nothing else, and have accessed no memory plainly; and if a is answered what b was, may it do
 * likewise, and come to c in the same live state.  Then take an execution G with a and b, take a
 * out, and let b be what becomes of a: in G2 all threads do the same as in G, after that, with the
 * same results.  It is consistent since G is, with any order of calls that a client adds:
 * a read less, on which nobody depends, and one of a weaker order, take edges out of every
 * relation.  What happens before what in G2 does so in G: as with silent_rmw.h a right G2 speaks for
 * G.  And nothing is invented: G2 is an execution.  It has fewer events, so that this comes to an
 * end.
 *
 * Races: one of a with a plain write p that happens before b is met when b is; else b has it,
 * in G2, too.
 *
 * So after b the thread is stuck, as by an assumption.  Whether it is depends on its own past
 * only.  How it would go on from a is tried, once for each live state and pair of answers: nothing
 * else makes a difference.
 */
#ifndef LP_EXPLORE_REDUCE_REDUNDANT_REREADS_H
#define LP_EXPLORE_REDUCE_REDUNDANT_REREADS_H

#include "base/hash_index.h"
#include "base/value.h"
#include "base/vec.h"
#include "graph/graph.h"

struct lp_explorer;

/* a in live state `before` was answered `first`, b, operation number `op`, `second`; the thread
 * came to live state `after`. */
struct lp_reread_fact {
	uint32_t before, after, op;
	bool vain;
	struct lp_value first, second;
};

struct lp_reread_facts {
	LP_VEC(struct lp_reread_fact);
	struct lp_hash_index by_hash;
};

void lp_reread_close(struct lp_reread_facts *);

/* Are the thread's last two events a and b?  It is about to go on in live state `live`; the
 * machine has caught up, and has done so afterwards. */
bool lp_is_redundant_reread(struct lp_explorer *, uint32_t thread, uint32_t live);

#endif
