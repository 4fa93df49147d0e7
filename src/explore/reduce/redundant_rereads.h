/* redundant_rereads.h -- reads that led nowhere.
 *
 *     if (load(&slot) == EMPTY)                     a
 *         continue;
 *     value = exchange(&slot, EMPTY);               b
 *     if (value == EMPTY)
 *         continue;                                 c is where it goes on
 *
 * If b finds the slot empty the thread is where it would be had a found it so.  Likewise in
 *
 *     at = load(&x);                                a
 *     while (!cas(&x, &at, at + 1))                 b has failed, and what it found is the next guess
 *             ;
 *
 * the thread is where it would be had a read what b found.
 *
 * Claim: an execution G with such a and b need not be carried on, if
 *   1  a and b are two reads of one location by a thread, one directly after the other;
 *   2  a is a load, or a compare-exchange that has failed, and would have, had it read what b did;
 *   3  b writes nothing (a load, a failed compare-exchange, or a silent RMW: silent_rmw.h), and its order is at least as strong as that of a;
 *   4  between a and its next operation c the thread has asked for nothing else, and has accessed no memory plainly;
 *   5  if a is answered what b was, the thread does likewise, and comes to c in the same live state.
 *
 * Take a out of G, and let b be what becomes of a: in G2, after that, all threads do the same as in G, by 4 and 5, with the
 * same results.  By 1 and 2 a read takes the place of two, on one of which nothing depends.  G2 is consistent since G is, with any order of calls that a
 * client adds: a read less, and one of a weaker order, by 3, take edges out of every relation.  (Under tso a compare-exchange that fails is a
 * fence.  If only a is one, then what is before it in G is before it in G2, and it is before all that comes after it in both.)  What
 * happens before what in G2 does so in G: every error of G is one of G2, and a right G2 speaks for G with any client.  Nothing is
 * invented: G2 is an execution.  It has fewer events, so that this comes to an end.
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
	bool redundant;
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
