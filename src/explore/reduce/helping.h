/* helping.h -- compare-and-swaps that do what another thread is about to do anyway.
 *
 *     A  (helping)                           B  (helped)
 *     for (;;) {                             cas(&last->next, NULL, node);   b
 *         t = load(&tail);                   cas(&tail, last, node);         d
 *         n = load(&t->next);
 *         if (n) { cas(&tail, t, n);  c      c and d are the same operation, and neither
 *                  continue; }               thread looks at what became of it.
 *         ...
 *
 * If A sees what B has just done (b), it may be the one to do the next step (c); had it waited
 * for B to do that, all else could be the same.  So where c would succeed A is stuck instead,
 * as by an assumption, until somebody else has changed the location.  When is that right?
 *
 * Let G be an execution in which c succeeds: it reads u from a write w to location L, and
 * writes v.  Let p be A's event before c, and b the last event of B that happens before p.
 *   1  B's next operation after b is d, a strong compare-and-swap of L from u to v, and in
 *      between B neither writes memory plainly, nor allocates or frees any; nor does it read
 *      plainly what another thread writes, or frees, other than before that (omitted_races.h).  What it
 *      does on its own stack does not count, if no other thread ever accesses that;
 *   2  neither thread's future depends on the answer to c or d;
 *   3  w happens before b or is b, and so does all that a read of w can acquire;
 *   4  all writes to L are releases, those not counted that happen before all that other
 *      threads do, or that no other thread can know of (own.h);
 *   5  u is written to L only once, counting its initial value;
 *   6  p is not part of such a compare-and-swap itself, nor a store;
 *   7  no event is seq_cst, or all atomic accesses and fences are (the same ones not
 *      counted, nor those that happen after all that others do); or the model is sc or tso;
 *   8  no plain access to L is an event;
 *   9  the memory that L is in is never freed;
 *  10  there are no partial locks (linchpin.h).  A learns of B's call from d, and learned of it from b in G; but if it did by a
 *      partial lock only, that does not count (model/calls.h: given).
 * If G ends before d it can be continued by d reading the last write to L.  By 5 and
 * atomicity d fails: by 3 it reads from c or from what comes after c in co.  In G' d is in
 * the place of c: d reads w; what read c reads d, and so does c itself, which fails.  By 2
 * every thread does the same in G' as in G, with the same results.
 *
 * G' is consistent.  What happens before d in G' happens before b or is b: d acquires nothing
 * new, by 3; so it happens before c in G.  What d happens before in G' is what comes after it
 * in B, which it happened before in G; what comes after c in A; and what acquires from d, or
 * from a later write of B to L that is in the release sequence of d (as a store, in C11 only): by 4 these
 * acquired from c, and from that later write itself, in G.  So, pairs that begin with d
 * left out, hb' is within hb; and d accesses nothing but L, where it stands in co as c did to
 * all that is ordered with it: coherence.  d is next to w, as c was: atomicity.  If d came
 * before itself in po and rf, c would have in G.  Without seq_cst events there is no psc; if
 * all are, G, which has no race, is an interleaving, and in it B can perform d at the moment
 * of c, being between b and d then, and A c directly after it.  So in sc; and in tso, where B
 * has then nothing in its buffer: b is a write that others have seen, before which the
 * rest had to leave.
 *
 * That comes to an end.  Count, for each successful compare-and-swap whose result is not used,
 * the events that happen before it and are neither part of such a one nor stores: what
 * happens before d happens before c, too, and so does p, but not before d, since b happens
 * before p.  It ends
 * at an execution of the program in which A is stuck before every such c.  All that
 * the conditions but 4, 5, 7, 8 and 9 depend on is the past of c in po and rf (so does B's
 * operation after b, whether it has been performed or not): this program is explored
 * exactly.  Its errors are those of the original: it has its results, and its deadlocks.
 *
 * Races, and uses of memory that is freed.  All plain accesses and frees of G are in G'.  Two of
 * them that are unordered in G, and conflict, are unordered in G', since hb' adds only pairs that
 * begin with d, or with what B did between b and d: by 1 that conflicts with nothing that comes later.
 * (If B wrote `data` between b and d, a thread that acquires from d in G', but from c in
 * G, would read it without a race in G' only.)  Nor does a pair with c or d itself get lost: by 9
 * nothing frees L, and a plain access f to L that is unordered with c or d in G is so with d in G':
 * were d before f, f would be an event, against 8; were f before d, it would be before b, by 1, and
 * so before c and d in G.
 *
 * 4, 5, 7, 8 and 9 are about all executions.  They are watched; if one turns out to be false
 * where it was relied upon, the exploration restarts without all this.  There is a first
 * prefix of some execution that shows it to be false; the above applies to what comes before,
 * so it is seen.
 */
#ifndef LP_EXPLORE_REDUCE_HELPING_H
#define LP_EXPLORE_REDUCE_HELPING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graph/graph.h"

struct lp_bytes;
struct lp_cursor;
struct lp_explorer;

enum {
	LP_HELPING_LOCATIONS = 4096, /* a power of two */
	LP_HELPING_GRANULES = 1 << 16, /* likewise */
	LP_HELPING_STACKS = 1024,      /* likewise */
};

enum lp_helping { LP_BY_SWAPS, LP_BY_STORES }; /* the latter: redundant_stores.h */

/* What is known of all executions, perhaps by several processes.  Locations have places near the
 * hash of their address.  Where it is crowded two of them may share one, which costs time only:
 * but much of it, if the one is unfit and the other would be relied upon. */
struct lp_helping_facts {
	_Atomic uintptr_t address[LP_HELPING_LOCATIONS]; /* 0: free */
	atomic_bool broken;
	atomic_bool sc, weak; /* atomic events, seq_cst and others */
	bool any_orders;      /* the model is sc or tso: condition 7 holds */
	atomic_bool crowded;  /* two locations share a place */
	/* Of memory, by hashes of 16-byte granules: in which a location that is relied upon is;
	 * and which was ever freed.  The last is for blocks that are too large for that. */
	_Atomic uint64_t used[LP_HELPING_GRANULES / 64], freed[LP_HELPING_GRANULES / 64];
	atomic_bool much_freed;
	/* Of threads, modulo their number: whose stack is relied upon to be accessed by no other thread;
	 * and was. */
	_Atomic uint64_t own_stacks[LP_HELPING_STACKS / 64], shared_stacks[LP_HELPING_STACKS / 64];
	struct {
		atomic_bool relied; /* on any location */
		atomic_bool used[LP_HELPING_LOCATIONS];
		atomic_bool unfit[LP_HELPING_LOCATIONS]; /* 4, 5, 8 or 9 is false there */
	} by[2];
};

/* The place of a location. */
uint32_t lp_helping_place(struct lp_helping_facts *, uintptr_t address);

/* What is known, as bytes; and adds what is known elsewhere.  False if these are no such bytes. */
void lp_helping_write(const struct lp_helping_facts *, struct lp_bytes *);
bool lp_helping_merge(struct lp_helping_facts *, struct lp_cursor *);

/* Takes notice of an event of the top frame, which is explored. */
void lp_helping_note(struct lp_explorer *, lp_eid);

/* Is the event ordered by hb with everything that other threads ever do? */
bool lp_helping_is_alone(const struct lp_graph *, lp_eid);

/* Memory is freed. */
void lp_helping_freed(struct lp_helping_facts *, uintptr_t loc, size_t size);

/* Another thread accesses the stack of this one. */
void lp_helping_stack_shared(struct lp_helping_facts *, uint32_t thread);

/* What the thread does before the operation that follows its first `index` events is of no concern
 * to others (condition 1): is it?  Then that is relied upon. */
bool lp_helping_is_apart(struct lp_explorer *, uint32_t thread, uint32_t index);

/* `r` is the read of an RMW that is about to write, the last event of the top frame; the
 * program is where it was before.  Is the RMW what c is above? */
bool lp_helping_applies(struct lp_explorer *, lp_eid r);

/* Relies on what must be so in all executions for this sort of helping at the location; false
 * if that cannot be. */
bool lp_helping_rely(struct lp_explorer *, uint32_t loc, enum lp_helping);

/* Has that been done? */
static inline bool lp_helping_relied(const struct lp_helping_facts *f, enum lp_helping by)
{
	return f && atomic_load_explicit(&f->by[by].relied, memory_order_relaxed);
}

/* A fact that was relied upon is none. */
static inline bool lp_helping_is_broken(const struct lp_helping_facts *f)
{
	return f && atomic_load_explicit(&f->broken, memory_order_relaxed);
}

#endif
