/* bound.h -- inside the graph explorer: only executions that some cheap schedule produces.
 *
 * With a bound (options->bounds) the explorer is to visit every execution, up to symmetry, that has a schedule of at most that
 * cost (schedule.h), and few others.  It visits graphs as without a bound, and asks here
 *   - of a graph in which no thread can go on: does it have such a schedule?  If not, it does not count;
 *   - of an error: does what led to it have one?  If not, its thread has stopped there;
 *   - of a graph that grows: can it still become one that has?  If not, it is abandoned.
 * So a bound never has the explorer visit more graphs than it visits without one.
 *
 * When a graph is abandoned.  Revisits take events out again, so that what a graph costs may become less.  But some events are
 * permanent: they are in every execution that the explorer reaches from here.
 *
 * Claim: those that were not added maximally (revisit.h) are permanent, with all that they depend on (po, rf).
 * A revisit of r by w takes out only what was added after r, is not in the past of w, and is maximal.  Let e not be maximal.
 * If a write above e in co was added before e, or if e is a number other than 0, or a spurious failure, this stays so while
 * both are there; and if the write is taken out by a revisit by w, e is in the past of w.  If e has revisited a read q, and
 * q is taken out by w, e was added after q and is in the past of w, too.  And w has itself revisited a read, so that it is not
 * maximal: it is permanent with all of its past.  By induction over the revisits, e is never taken out.
 *
 * So an execution E that is reached from a graph G contains one of these parts.
 *   a  If no read of G is revisited: G, but for reads that do not take place (they wait, or are taken out by park.h).
 *   b  Otherwise let r be the first of those reads, in the order in which they were added.  What was added before r is in E, and
 *      so are the permanent events of G.  So is r, which now reads from a write w that is not in G, unless its thread then waits,
 *      or spins, forever: there it can be left freely, but for rounds r is not counted.  Permanent events that
 *      were added after r were in the past of w when it revisited r for the last time: so in E they come before r.
 * Cost is monotonous (schedule.h): if all these parts cost too much, for a and for b with every read that is not permanent,
 * the graph is abandoned.  Nothing within the bound is lost.  This is looked at when the permanent part has grown.
 *
 * Where a thread can be left freely: at an operation that may wait (lock, semaphore, join; for the exact number only while it
 * has to), and
 *   H  at the head of a loop in which some thread was seen to spin: an iteration that is left out, that saw no location
 *      change, or in the middle of which the thread could be left freely;
 *   U  before a read-modify-write whose answer is not used and that fails, and after one that succeeds, where such an operation
 *      was left to another thread (helping.h), or was to access the same location then; and before an arrival at a barrier.
 *   P  before a read, if the read is left out, or takes place later, in the executions that stand for others (rereads, twins below), and the
 *      thread could be left freely where it is left in those others.
 * These places are learned, and so are the rules that P has (struct lp_place_rule).  If a place is learned after something was left out
 * because of the bound, the exploration restarts (lp_bound_is_outdated()).
 *
 * Which reductions may be on: all of them, as without a bound.  So a bound never has the explorer visit more graphs.  A reduction leaves out
 * an execution X for an X' that is as good; X' must not cost more.
 *   symmetry      X' is X with other names of like threads: same cost.  Delays and rounds go by numbers, but like threads have no number of
 *                 their own (schedule.h): an execution is within the bound if it is for some way to number them.
 *   spin, attempts, overwritten iterations: X' is X without an iteration.  The blocks of its thread become fewer, or
 *                 merge; those that merge end at the head of the loop, which by H is free if one of the places is at
 *                 which the thread was left within the iteration.
 *   park, stale, final joins: no complete execution is lost.
 *   helping       in X thread t performs a compare-and-swap that u, which was left before it, would perform next.  In X' u performs
 *                 it when t would, and then t fails to perform it: t is left before that, and u after it, which by U costs
 *                 nothing.  That u was left before it costs the same in X and X'.  For delays and rounds, where threads between t and
 *                 u would be passed over, both operations are lent (schedule.h): u performs its own without having a turn, and
 *                 both threads can be left freely before and after them.
 *   arrivals      in X' all arrivals of a round come together, when the last one comes in X: free by U, or lent.
 *   silent RMWs   X' is X with fewer edges of co.
 *   rereads       in X a thread reads by a, and then by b.  X' is X without a, and with the operation of a in the place of b: where
 *                 the thread was left before b, it is left before a, which by P is free if that was; and what follows can
 *                 be left freely after a if it could be after b.
 *   twins         in X a thread loads by a, only reads what is not written any more, and swaps by b.  In X' all of this is in
 *                 one block with b.  Where the thread was left before b or one of the reads, it is left before a, once: free by P
 *                 if one of those places was.
 *   redundant stores: not under sc.
 * Where H, U, P or locks make a switch free that a strict count would not, more executions are visited, never fewer.  The exact
 * number of preemptions is asked for where helping, attempts, silent RMWs, rereads and twins are off.
 */
#ifndef LP_EXPLORE_BOUND_BOUND_H
#define LP_EXPLORE_BOUND_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/graph.h"
#include "program/program.h"

struct lp_bound;
struct lp_explorer;

struct lp_places {
	LP_VEC(uintptr_t);
};

/* If threads can be left freely before the operation at `from`, or after it, then before, or after, the one at `to`. */
struct lp_place_rule {
	uintptr_t from, to;
	bool from_after, to_after;
};

/* What has been learned, also by explorations that were abandoned. */
struct lp_bound_facts {
	struct lp_places heads;  /* of operations at which threads were seen to spin */
	struct lp_places helped; /* and of those that were left to another thread, or to which they were left */
	struct lp_places before, after; /* operations before and after which threads can be left freely: by `rules` */
	struct {
		LP_VEC(struct lp_place_rule);
	} rules;
	bool cut;      /* the bound has left out something */
	bool outdated; /* and a place was learned after that */
	int cost;      /* of the execution with the error; -1: not known */
};

/* NULL if the options have no bound. */
struct lp_bound *lp_bound_open(const struct lp_explorer *);
void lp_bound_close(struct lp_bound *);

/* An event was accepted into the graph. */
void lp_bound_note(struct lp_explorer *, lp_eid);
/* The thread's last iteration is left out. */
void lp_bound_note_iteration(struct lp_explorer *, lp_tid);
/* The read-modify-write of which that is the read is left to another thread. */
void lp_bound_note_help(struct lp_explorer *, lp_eid read);
/* The thread's last read makes the one before it redundant (redundant_rereads.h). */
void lp_bound_note_reread(struct lp_explorer *, lp_tid);
/* The read, which is its thread's next event, or its last one and revisited, waits as a twin (twins.h); `twin` is 1 + the index of the load. */
void lp_bound_note_twin(struct lp_explorer *, const struct lp_event *read, uint32_t twin);
/* Frees what was learned. */
void lp_bound_forget(struct lp_bound_facts *);
bool lp_bound_is_outdated(const struct lp_explorer *);

/* Can the graph become an execution within the bound? */
bool lp_bound_allows(struct lp_explorer *);
/* No thread can go on: is the execution within the bound? */
bool lp_bound_admits(struct lp_explorer *);
/* The thread has met an error: is what led to it within the bound? */
bool lp_bound_admits_error(struct lp_explorer *, lp_tid);

/* Has a thread met one that is not? */
bool lp_bound_has_erred(struct lp_explorer *);

/* An error ends the exploration: puts the operations into the order of the cheapest schedule, and notes its cost. */
void lp_bound_order(struct lp_explorer *, lp_tid, const struct lp_program_error *);

#endif
