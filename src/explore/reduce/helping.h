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
 * If A sees what B has just done (b), A may perform the next step itself (c).  If it had waited for
 * B to perform this step (d), everything else could be the same.  So where c would succeed, A is
 * stuck instead, as if an assumption were false, until another thread has changed the location.
 * This is right under the following conditions.
 *
 * Let G be an execution in which c succeeds: it reads u from a write w to location L, and
 * writes v.  Let p be A's event before c, and b the last event of B that happens before p.
 *   1  b is a write, L is not accessed in parts, and B's next operation after b is d, a strong compare-and-swap of
 *      L from u to v.  Between b and d, B neither writes memory plainly, nor allocates or frees memory, nor reads
 *      plainly what another thread writes or frees, unless the write or free happens before the read
 *      (omitted_races.h).  Accesses of B to its own stack do not count, if no other thread ever accesses this
 *      stack;
 *   2  neither thread's future depends on the answer to c or d;
 *   3  w happens before b or is b, and the same holds for every event that a read of w can acquire;
 *   4  all writes to L are releases, except writes that happen before everything that other threads
 *      do, or that no other thread can know of (own.h);
 *   5  u is written to L only once, and the initial value counts as written;
 *   6  p is neither part of such a compare-and-swap nor a store;
 *   7  no event is seq_cst, or all atomic accesses and fences are (except those that condition 4
 *      excepts, and those that happen after everything that other threads do); or the model is sc
 *      or tso;
 *   8  no plain access to L is an event;
 *   9  the memory of L is never freed;
 *  10  there are no partial locks (linchpin.h).  Otherwise A might learn of B's call from d, but in G only through a partial
 *      lock, which clients cannot rely on (model/calls.h: given).
 * If G ends before d, it can be continued: d reads the last write to L.  (With a bound on loops, B must not have reached the bound before d:
 * lp_helping_is_cut().  This depends on the past of c, too.)  By 5 and atomicity d fails:
 * by 3 it reads from c or from a write after c in co.  Let G' be the graph in which d takes the
 * place of c: d reads from w; the events that read from c in G read from d; and c itself reads from
 * d, and fails.  By 2 every thread does the same in G' as in G, with the same results.
 *
 * G' is consistent.  What happens before d in G' happens before b or is b: d acquires nothing new, by 3;
 * so these events also happen before c in G.  Three sorts of events happen after d in G': events after d in B,
 * which happen after d in G, too; events after c in A; and events that acquire from d, or from a later
 * write of B to L in the release sequence of d (a store, in C11 only): by 4 these events acquired from c,
 * and from that later write, in G. So hb', the happens-before of G', is contained in hb, except for pairs
 * that begin with d.  Coherence: d accesses only L, and in G' it has the same place in co, relative to all
 * events that are ordered with it, as c in G. Atomicity: d directly follows w in co, as c did.  po and rf
 * have no cycle through d, or they would have one through c in G. If no event is seq_cst, there is no
 * psc.  If all are, then G, which has no race, is an interleaving; at the time of c B is between b and d,
 * so B can perform d at that time, and A can perform c directly after it.  The same holds under sc.  It
 * also holds under tso, because the store buffer of B is empty at that time: other threads have seen the
 * write b, so b and the stores before it have left the buffer.
 *
 * Replacing c by d comes to an end.  To see this, add up over all successful compare-and-swaps whose
 * results are not used: the number of events that happen before the compare-and-swap, and are
 * neither part of such a compare-and-swap nor stores.  This sum decreases: every event that happens
 * before d happens before c, too, and p happens before c, but not before d, since b happens before
 * p.  The last execution is one of the program in which A is stuck before every such c.  Except for
 * 4, 5 and 7 to 10, the conditions depend only on the past of c in po and rf (B's operation after b
 * also depends only on this past, whether it has been performed or not).  So this program is
 * explored exactly.  It has the errors of the original program, because it has the same results and
 * deadlocks.
 *
 * Races, and uses of memory that is freed.  All plain accesses and frees of G are in G'.  If two of them
 * conflict and are unordered in G, they are unordered in G', since hb' adds only pairs that begin with
 * d, or with an access of B between b and d: by 1 such an access does not conflict with a later one.
 * (If B could write `data` between b and d, a thread that acquires from d in G' and from c in G would
 * race with this write only in G.) A race of c or d itself is not lost either.  By 9 L is never freed.
 * Let f be a plain access to L that is unordered with c or d in G. Then it is unordered with d in G':
 * if d happened before f, f would be an event, against 8; if f happened before d, it would happen
 * before b, by 1, and so before c and d in G.
 *
 * 4, 5 and 7 to 10 are about all executions.  They are watched; if one turns out to be false where
 * it was relied upon, the exploration restarts without this reduction.  A false condition is always
 * seen: take a shortest prefix of an execution that shows it to be false.  The argument above
 * applies to everything before the end of this prefix, so the prefix is explored.
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

/* The facts about all executions; several processes may share them.  They are in a table: the place
 * of a location is near the hash of its address.  If the table is crowded, two locations may share a
 * place.  This is sound, but it can cost much time: if one of the two is unfit, the reduction is not
 * used for the other either. */
struct lp_helping_facts {
	_Atomic uintptr_t address[LP_HELPING_LOCATIONS]; /* 0: free */
	atomic_bool broken;
	atomic_bool sc, weak; /* of the atomic events that condition 7 does not except, some is seq_cst, or some is not */
	bool any_orders;      /* the model is sc or tso: condition 7 holds */
	atomic_bool crowded;  /* two locations share a place */
	/* Sets of 16-byte granules of memory, by hash: those of locations that are relied upon, and
	 * those that were ever freed.  `much_freed`: a block was freed that is too large to be
	 * recorded by granules. */
	_Atomic uint64_t used[LP_HELPING_GRANULES / 64], freed[LP_HELPING_GRANULES / 64];
	atomic_bool much_freed;
	/* Sets of threads, by their number modulo LP_HELPING_STACKS. own_stacks: the reduction relies on
	 * no other thread accessing the thread's stack.  shared_stacks: another thread has accessed it. */
	_Atomic uint64_t own_stacks[LP_HELPING_STACKS / 64], shared_stacks[LP_HELPING_STACKS / 64];
	struct {
		atomic_bool relied; /* the reduction was used at some location */
		atomic_bool used[LP_HELPING_LOCATIONS];
		atomic_bool unfit[LP_HELPING_LOCATIONS]; /* 4, 5, 8 or 9 is false at the location; for stores, 5 of
		                                          * redundant_stores.h */
	} by[2];
};

/* The place of a location in the table. */
uint32_t lp_helping_place(struct lp_helping_facts *, uintptr_t address);

/* The first function writes the facts as bytes; the second adds the facts that another machine has
 * written, and returns false if the bytes are malformed. */
void lp_helping_write(const struct lp_helping_facts *, struct lp_bytes *);
bool lp_helping_merge(struct lp_helping_facts *, struct lp_cursor *);

/* To be called for each event of the top frame that is explored. */
void lp_helping_note(struct lp_explorer *, lp_eid);

/* Is the event ordered by hb with everything that other threads ever do? */
bool lp_helping_is_alone(const struct lp_graph *, lp_eid);

/* Notes that memory was freed. */
void lp_helping_freed(struct lp_helping_facts *, uintptr_t loc, size_t size);

/* Notes that another thread has accessed the stack of this thread. */
void lp_helping_stack_shared(struct lp_helping_facts *, uint32_t thread);

/* Has the thread come to the bound on loops, so that it never performs its next operation? */
bool lp_helping_is_cut(struct lp_explorer *, uint32_t thread);

/* Does what the thread does between its first `index` events and the next operation satisfy
 * condition 1?  If so, the exploration relies on it from now on. */
bool lp_helping_is_apart(struct lp_explorer *, uint32_t thread, uint32_t index);

/* `r`, the last event of the top frame, is the read of an RMW that is about to write; the program
 * has not performed the RMW yet.  Is the RMW a c as above, before which its thread is to be stuck? */
bool lp_helping_applies(struct lp_explorer *, lp_eid r);

/* From now on the exploration relies on the conditions about all executions, for this sort of
 * helping at the location.  Returns false if one of them is already known to be false. */
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
