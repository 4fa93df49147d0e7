/* redundant_rereads.h -- two reads of a location in a row, where the second one alone would have
 * had the same effect.
 *
 *     if (load(&slot) == EMPTY)                     a
 *         continue;
 *     value = exchange(&slot, EMPTY);               b
 *     if (value == EMPTY)
 *         continue;                                 the next operation of the thread is called c
 *
 * If b finds the slot empty, the thread is where it would be if a had found the slot empty.  Another example is this loop:
 *
 *     at = load(&x);                                a
 *     while (!cas(&x, &at, at + 1))                 b has failed; the value that it found is the next guess
 *             ;
 *
 * After b, the thread is where it would be if a had read the value that b read.
 *
 * Claim: an execution G with such reads a and b need not be continued, if
 *   1  a and b are two reads of one location by a thread, one directly after the other.  Neither has failed spuriously, waits, is a plain
 *      access, or is part of one of linchpin's own operations;
 *   2  a is a load, or a compare-exchange that has failed, and would also have failed if it had read
 *      the value that b read;
 *   3  b writes nothing (it is a load, a failed compare-exchange, or a silent RMW: silent_rmw.h), and the memory order of b is at least as strong as
 *      that of a.  If undone.h has weakened a or b, their original orders count, because a might not be weakened if it read the value that b read.
 *      If b is weakened, a is a load that acquires, so that a would be weakened, too, if it read that value;
 *   4  let c be the thread's next operation after b: between a and c the thread has made no request but b, and
 *      has accessed no memory plainly;
 *   5  if a gets the answer that b got, the thread makes no request and no plain access before it comes to c, and it is then
 *      in the live state in which it is at c in G.  This live state is not the one before b;
 *   6  if b is a silent RMW, b is recorded like an operation of an iteration that is left out (omitted_races.h).
 *
 * Let G2 be G without b, where a is at the place of b and reads from the rf of b.  By 4 and 5 all threads then do the same in G2 as in G, with the
 * same results.  By 1 and 2, one read has taken the place of two.  G2 is consistent because G is, with any order of calls that a client adds: G2 has
 * one read less, and by 3 the order of the remaining read is not stronger, so every relation has at most the same edges.  (Under tso a
 * compare-exchange that fails is a fence.  If only a is a failed compare-exchange, the same events are before a, and the same events after a, in G
 * and in G2.)  Happens-before in G2 is contained in that of G.  So every error of G is an error of G2, and if G2 is correct with any client, so is
 * G.  No execution is invented, since G2 is an execution of the program.  G2 has fewer events, so the argument can be repeated only finitely often.
 *
 * Threads that wait forever: if the thread were in the same live state before and after b, it could perform b again and again.  In G2 it
 * would then perform b next, and would be stuck after this b, too.  So it would never be found to wait forever.  Such a b is an iteration (grow.h),
 * which may have been kept (omitted_races.h).
 *
 * Races: if a races with a plain write p that happens before b, this race is found when b is added
 * to the graph.  If p does not happen before b, p races with b, and in G2 with the read that
 * remains.  A silent RMW b also races with plain reads, but a does not race with them.  This is the reason for 6.
 *
 * So the thread is stuck after b, as if an assumption were false.  This depends only on the thread's
 * own past.  The explorer tries how the thread would go on from a.  It does so once for each live
 * state and pair of answers, because nothing else makes a difference.
 *
 * Reads that are not performed.  A revisit often makes a read of an RMW read from the RMW that has come first, so that the read is such a b.  If a
 * trial has shown that 4 and 5 hold for this live state before a, and these answers, it is known where the thread comes to.  Then b need not be
 * performed to find out whether the graph can be abandoned (stale.h).  No error is lost.  The revisit has removed events, made b read from a write
 * w, and put w in its place.  All other events, and the plain accesses after them, are in the graph from which the revisit was made: they were
 * performed there, with the same happens-before.  So the errors that are not found are those of b, of w, and of what the thread of w does after w.
 * (If w belongs to an RMW that reads from the same write as the RMW of b, and is added only to revisit the RMW of b, w was not performed in that
 * graph either.)  Errors of b are races.  If b races with an access before w, or in another thread, so does a, because a is as much a read as b, and
 * knows less.  That race was found in the graph of the revisit.  If b is silent, 6 finds its races with plain reads.  All other errors are errors of
 * G2, too: in G2 a reads from w, and no event depends on a or b but those of the thread itself, so what happens before every other event is the same.
 * For the same reason, facts about w and what its thread does next are recorded in G2.  Reads of locations with transients (shifts.h) are always
 * performed first.  What 6 records also depends on which memory was allocated or found by a thread (own.h) in this graph.  Without bringing the
 * program to this graph, this is known only if no thread has allocated or found memory in any graph.
 */
#ifndef LP_EXPLORE_REDUCE_REDUNDANT_REREADS_H
#define LP_EXPLORE_REDUCE_REDUNDANT_REREADS_H

#include "base/hash_index.h"
#include "base/value.h"
#include "base/vec.h"
#include "graph/graph.h"

struct lp_explorer;

/* The result of a trial.  In live state `before`, a was answered `first`; then b, which is operation number
 * `op`, was answered `second`, and the thread came to live state `after`.  `redundant`: do 4 and 5 hold? */
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

/* Are the thread's last two events reads a and b as above?  If so, the note of b gets LP_STOP_REREADS.  The thread is about to go on in
 * live state `live`.  The machine must be in the state that the graph describes, and is in this state again afterwards. */
bool lp_is_redundant_reread(struct lp_explorer *, uint32_t thread, uint32_t live);

/* The same for a read b that has not been performed yet: is it known from a trial that b makes a redundant?  The machine may be in
 * any state. */
bool lp_reread_is_known(struct lp_explorer *, uint32_t thread);

#endif
