/* helping.h -- compare-and-swaps that do what another thread is about to do anyway.
 *
 *     A  (helping)                           B  (helped)
 *     for (;;) {                             cas(&last->next, NULL, node);   b
 *         t = load(&tail);                   cas(&tail, last, node);         d
 *         n = load(&t->next);
 *         if (n) { cas(&tail, t, n);  c      c and d are the same operation, and neither
 *                  continue; }               thread uses the result.
 *         ...
 *
 * If A sees what B has just done (b), A may perform B's next step itself (c).  If A had waited for
 * B to perform this step (d), everything else could be the same.  So where c would succeed, A is
 * stuck instead, as if an assumption were false, until another thread has changed the location.
 * This is sound under the following conditions.
 *
 * Let G be an execution in which c succeeds: it reads u from a write w to location L, and
 * writes v.  Let p be A's event before c, and b the last event of B that happens before p.
 *   1  b is a write, L is not accessed in parts, and B's next operation after b is d, a strong compare-and-swap of
 *      L from u to v.  Between b and d, B writes no memory plainly, and neither allocates nor frees memory.  If B reads memory
 *      plainly there, every write of this memory by another thread, and every free of it, happens before the read
 *      (omitted_races.h).  Accesses of B to its own stack do not count, if no other thread ever accesses this
 *      stack;
 *   2  neither thread's future depends on the answer to c or d;
 *   3  w happens before b or is b, and the same holds for every event that a read of w can acquire;
 *   4  all writes to L are releases.  Excepted are writes that happen before everything that other threads do, and writes that no other thread can
 *      know of (own.h);
 *   5  u is written to L only once, and the initial value counts as written;
 *   6  p is not a store, and not an event of a compare-and-swap whose result is not used;
 *   7  the model is sc or tso; or no event is seq_cst; or all atomic accesses and fences are seq_cst.  In the last two cases,
 *      two sorts of events do not count: those that condition 4 excepts, and those that happen after everything that other threads do;
 *   8  no plain access to L is an event;
 *   9  the memory of L is never freed;
 *  10  there are no partial locks (linchpin.h).  If there were, A might learn of B's call from d in G', although in G it learns of the
 *      call only through a partial lock, on which clients cannot rely (model/calls.h: given).
 * If G ends before d, G can be continued: d reads the last write to L.  (With a bound on loops, B must not have reached the bound before d:
 * lp_helping_is_cut().  This depends only on the past of c, too.)  By 5 and atomicity d fails,
 * because by 3 it reads from c or from a write after c in co.  Let G' be the graph in which d takes the
 * place of c: d reads from w; the events that read from c in G read from d; and c itself reads from
 * d, and fails.  By 2 every thread does the same in G' as in G, with the same results.
 *
 * G' is consistent.  Happens-before: by 3 d acquires nothing new in G', so the events that happen before d in G' are b and events that
 * happen before b.  These events also happen before c in G.  Three sorts of events happen after d in G': events after d in B,
 * which happen after d in G, too; events after c in A; and events that acquire from d, or from a later
 * write of B to L in the release sequence of d (a store, in C11 only).  By 4 the events of the third sort acquired from c,
 * and from that later write, in G.  So hb', the happens-before of G', is contained in hb, except for pairs
 * that begin with d.  Coherence: d accesses only L, and in G' it has the same place in co as c has in G, relative to all
 * events that are ordered with it.  Atomicity: d directly follows w in co, as c did.  po and rf
 * have no cycle through d in G', or they would have one through c in G.  Sequential consistency: if no event is seq_cst, there is no
 * psc.  If all are seq_cst, then G, which has no race, is an interleaving.  At the time of c, B is between b and d.
 * So B can perform d at that time, and A can perform c directly after it.  The same argument holds under sc.  It
 * also holds under tso, because the store buffer of B is empty at that time: other threads have seen the
 * write b, so b and the stores before it have left the buffer.
 *
 * Replacing c by d comes to an end.  To see this, consider all successful compare-and-swaps whose
 * results are not used.  For each of them, count the events that happen before it and are
 * neither stores nor events of such a compare-and-swap.  The sum of these counts decreases: every event that happens
 * before d happens before c, too, and p happens before c, but not before d, since b happens before
 * p.  The last execution is one of the program in which A is stuck before every such c.  Except for 4, 5, 7 to 10, and what 1 says about plain reads
 * and stacks, the conditions depend only on the past of c in po and rf (B's operation after b also depends only on this past, whether it has been
 * performed or not).  So this program is explored exactly.  It has the errors of the original program, because it has the same results and deadlocks.
 *
 * Races, and uses of memory that is freed.  All plain accesses and frees of G are in G'.  If two of them
 * conflict and are unordered in G, they are unordered in G', since hb' adds only pairs that begin with
 * d, or with an access of B between b and d.  By 1 an access of B between b and d does not conflict with a later one.
 * (Suppose that B could write some memory plainly between b and d.  A thread that acquires from d in G' and from c in G, and then reads this memory,
 * would race with the write in G, but not in G'.)  A race of c or d itself is not lost either.  By 9 L is never freed.  Let f be a plain access to L
 * that is unordered with c or d in G.  Then f is unordered with d in G': if d happened before f, f would be an event, against 8; if f happened before
 * d, f would happen before b, by 1, and so before c and d in G.
 *
 * Conditions 4, 5 and 7 to 10, and what 1 says about plain reads and stacks, are about all executions.  They are watched; if one turns out to be
 * false where it was relied upon, the exploration restarts without this reduction.  A false condition is always seen: take a shortest prefix of an
 * execution that shows it to be false.  The argument above applies to everything before the end of this prefix, so the prefix is explored.
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
	LP_HELPING_GRANULES = 1 << 16, /* a power of two */
	LP_HELPING_STACKS = 1024,      /* a power of two */
};

enum lp_helping { LP_BY_SWAPS, LP_BY_STORES }; /* LP_BY_STORES: redundant_stores.h */

/* The facts about all executions; several processes may share them.  Facts about locations are in tables: each location has a place,
 * near the hash of its address.  If there are too many locations, two of them may share a
 * place.  This is sound, but it can cost much time: if one of the two is unfit, the reduction is not
 * used for the other either. */
struct lp_helping_facts {
	_Atomic uintptr_t address[LP_HELPING_LOCATIONS]; /* 0: free */
	atomic_bool broken;   /* a condition that was relied upon is false */
	atomic_bool sc, weak; /* `sc`: some atomic event is seq_cst; `weak`: some is not.  Events that condition 7 does not count are
	                       * left out */
	bool any_orders;      /* the model is sc or tso: condition 7 holds */
	atomic_bool crowded;  /* two locations share a place */
	/* Sets of 16-byte granules of memory, by hash: those of locations that are relied upon, and
	 * those that were ever freed.  `much_freed`: a block was freed that is too large to be
	 * recorded by granules. */
	_Atomic uint64_t used[LP_HELPING_GRANULES / 64], freed[LP_HELPING_GRANULES / 64];
	atomic_bool much_freed;
	/* Sets of threads, by their number modulo LP_HELPING_STACKS.  `own_stacks`: the reduction relies on the fact that
	 * no other thread accesses the thread's stack.  `shared_stacks`: another thread has accessed the thread's stack. */
	_Atomic uint64_t own_stacks[LP_HELPING_STACKS / 64], shared_stacks[LP_HELPING_STACKS / 64];
	/* For compare-and-swaps and for stores (enum lp_helping). */
	struct {
		atomic_bool relied; /* the reduction was used at some location */
		atomic_bool used[LP_HELPING_LOCATIONS];  /* the reduction was used at the location */
		atomic_bool unfit[LP_HELPING_LOCATIONS]; /* 4, 5, 8 or 9 is false at the location; for stores, 5 of
		                                          * redundant_stores.h */
	} by[2];
};

/* The place of a location in the table. */
uint32_t lp_helping_place(struct lp_helping_facts *, uintptr_t address);

/* lp_helping_write() writes the facts as bytes.  lp_helping_merge() adds the facts that another machine has
 * written, and returns false if the bytes are malformed. */
void lp_helping_write(const struct lp_helping_facts *, struct lp_bytes *);
bool lp_helping_merge(struct lp_helping_facts *, struct lp_cursor *);

/* To be called for each event of the top frame that is explored. */
void lp_helping_note(struct lp_explorer *, lp_eid);

/* Is the event, which is its thread's last, ordered by hb with everything that other threads ever do? */
bool lp_helping_is_alone(const struct lp_graph *, lp_eid);

/* Notes that memory was freed. */
void lp_helping_freed(struct lp_helping_facts *, uintptr_t loc, size_t size);

/* Notes that another thread has accessed the stack of this thread. */
void lp_helping_stack_shared(struct lp_helping_facts *, uint32_t thread);

/* Is the thread stopped by a bound on loops (LP_STOP_BOUND), so that it never performs its next operation? */
bool lp_helping_is_cut(struct lp_explorer *, uint32_t thread);

/* Does what the thread does between its first `index` events and the next operation satisfy
 * condition 1?  If so, the exploration relies on it from now on. */
bool lp_helping_is_apart(struct lp_explorer *, uint32_t thread, uint32_t index);

/* `r`, the last event of the top frame, is the read of an RMW that is about to write; the program
 * has not performed the RMW yet.  Is the RMW a compare-and-swap c as above, so that its thread must be stuck before it?  If so, the
 * exploration relies on the conditions from now on. */
bool lp_helping_applies(struct lp_explorer *, lp_eid r);

/* Returns false if one of the conditions about all executions is already known to be false, for this sort of
 * helping at the location.  Otherwise the exploration relies on these conditions from now on. */
bool lp_helping_rely(struct lp_explorer *, uint32_t loc, enum lp_helping);

/* Does the exploration rely on these conditions at any location? */
static inline bool lp_helping_relied(const struct lp_helping_facts *f, enum lp_helping by)
{
	return f && atomic_load_explicit(&f->by[by].relied, memory_order_relaxed);
}

/* Has a condition that was relied upon turned out to be false? */
static inline bool lp_helping_is_broken(const struct lp_helping_facts *f)
{
	return f && atomic_load_explicit(&f->broken, memory_order_relaxed);
}

#endif
