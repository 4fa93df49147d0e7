/* bound.h -- inside the graph explorer: only executions that some cheap schedule produces.
 *
 * With a bound (options->bounds) the explorer visits every execution, up to symmetry, that has a schedule within the bound
 * (schedule.h), and few others.  It visits graphs as without a bound, and asks three questions here:
 *   - about a graph in which no thread can go on: does it have a schedule within the bound?  If not, the
 *     execution is not counted;
 *   - about an error: do the events that led to it have such a schedule?  If not, the thread stops
 *     there, and the error is not reported;
 *   - about a graph that grows: can it still become a graph with such a schedule?  If not, it is abandoned.
 * So the explorer never visits more graphs with a bound than without one.  (This compares explorations that both do without the reduction
 * `shifts`, see below.)
 *
 * When a graph is abandoned.  Revisits remove events, so the cost of a graph may decrease again.  But some events are permanent:
 * they are in every execution that the explorer reaches from this graph.
 *
 * Claim: the events that were not added maximally (revisit.h), and the events on which they depend by po and rf, are
 * permanent.  A revisit of a read r by a write w removes only events that were added after r, are not in the past of w, and are
 * maximal.  Let e be an event that is not maximal.  There are two cases.  (1) A write above e in co (above rf(e) if e is a read) was added before e,
 * or e is a choice of a number other than 0, or a spurious failure.  A choice or a failure always stays non-maximal.  Otherwise e stays non-maximal
 * as long as the write above it is in the graph.  If a revisit by a write w removes the write above it, e is in the past of w.  (2) e has revisited a
 * read q.  If a revisit by w removes q, then e, which was added after q, is in the past of w.  In both cases w itself has revisited a read, so w is
 * not maximal, and is permanent with all of its past.  By induction over the revisits, e is never removed.
 *
 * So an execution E that is reached from a graph G contains one of these parts.
 *   a  If no read of G is revisited: G without the reads that do not take place (reads that wait, or that park.h removes).
 *   b  If some read of G is revisited: let r be the one that was added first.  E contains the events that were added before r,
 *      and the permanent events of G.  E also contains r, which now reads from a write w that is not in G.  (There is an exception if the
 *      thread of r then waits or spins forever at r.  A switch away from this thread is free there, so preemptions and delays do not
 *      change; for rounds r is not counted.)  Permanent events that were added after r were in the past of w when w revisited r
 *      for the last time, so in E they come before r.
 * Cost is monotonous (schedule.h): if a part costs too much, so does E.  So the graph is abandoned if all these parts cost
 * too much: that of case a, and that of case b for every read r that is not permanent.  No execution within the bound is
 * lost.  The explorer makes this test whenever the permanent part has grown.
 *
 * Where a thread can be left freely.  This means that a switch from the thread to another one is free.  A thread can be left freely at an operation
 * that may wait (lock, semaphore, join; for the exact number of preemptions only while the operation has to wait), and at these places:
 *   H  the head of a loop in which some thread was seen to spin.  This means that an iteration of the loop was left out that saw no location change,
 *      or that had in its middle a place where the thread can be left freely;
 *   U  the place before an arrival at a barrier; and, for certain read-modify-writes whose answer is not used, the place before one that fails, and
 *      the place after one that succeeds.  These are the read-modify-writes at places of the source where one was left to another thread (helping.h),
 *      or where one had accessed, or was about to access, the same location when another one was left to another thread;
 *   P  the place before (or after) a read that takes the place of operations in an execution that a reduction leaves out (rereads and twins below), if
 *      the thread can be left freely at the place where it is left in that execution.
 * The exploration learns these places, and the rules for P (struct lp_place_rule), while it runs.  If it learns a place after it has
 * abandoned a graph because of the bound, it restarts (lp_bound_is_outdated()).
 *
 * Which reductions may be on: all except shifts (shifts.h).  A reduction leaves out an execution X because the explorer visits an
 * equivalent execution X'.  So X' must not cost more than X:
 *   symmetry      X' is X with other names of like threads, and has the same cost.  Delays and rounds depend on the numbers of threads, but
 *                 like threads have no fixed numbers (schedule.h): an execution is within the bound if it is for some numbering of the
 *                 like threads.
 *   spin, attempts, overwritten and undone iterations: X' is X without an iteration.  So the thread of the iteration has fewer blocks, or
 *                 some of its blocks merge.  If the thread is left within the iteration in X, it is left at the head of the
 *                 loop in X'; by H this is free if it is free to leave the thread within the iteration.
 *   park, stale, final joins: no complete execution is lost.
 *   helping       in X thread t performs a compare-and-swap c, and thread u was left before it could perform the same compare-and-swap d
 *                 itself.  In X' thread u performs d at the time of c, and then c fails.  So in X' t is left before c, which fails, and u
 *                 after d, which succeeds; by U both switches are free.  The earlier switch away from u costs the same in X and X'.
 *                 For delays and rounds, which would pass over the threads between t and u, c and d are lent (schedule.h): u
 *                 performs d without having a turn, and both threads can be left freely before and after c and d.
 *   arrivals      in X' all arrivals of a round come together, when the last one comes in X.  These switches are free by U, or the
 *                 arrivals are lent.
 *   silent RMWs   X' is X with fewer edges of co.
 *   rereads       in X a thread performs the reads a and then b.  X' is X without b, but with a at the time of b.
 *                 If the thread is left before b in X, it is left before a in X'; by P this is free if it is free in X.
 *                 Leaving the thread after a in X' is free if leaving it after b in X is free.
 *   twins         in X a thread performs a load a, then only reads of locations that are not written any more, and then a swap b.
 *                 In X' all of these operations are in one block.  If the thread is left before b or one of the reads in X, it is left
 *                 once in X', before a; by P this is free if leaving the thread at one of those places in X is free.
 *   redundant stores: this reduction is not used under sc.
 * H, U, P and locks make some switches free that a strict count would charge for.  So more executions are visited than with a
 * strict count, never fewer.  The strict count (the exact number of preemptions) is used if helping, attempts, silent RMWs,
 * rereads and twins are off.
 */
#ifndef LP_EXPLORE_BOUND_BOUND_H
#define LP_EXPLORE_BOUND_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/graph.h"
#include "program/program.h"

struct lp_bound;
struct lp_explorer;

/* A set of pcs. */
struct lp_places {
	LP_VEC(uintptr_t);
};

/* A rule: if threads can be left freely before the operation at `from` (with `from_after`: after it), then they can be
 * left freely before the operation at `to` (with `to_after`: after it). */
struct lp_place_rule {
	uintptr_t from, to;
	bool from_after, to_after;
};

/* What the exploration has learned, in this pass and the passes before. */
struct lp_bound_facts {
	struct lp_places heads;  /* pcs of operations at which threads were seen to spin */
	struct lp_places helped; /* pcs of operations that were left to another thread, and of the operations of that other
	                          * thread */
	struct lp_places before, after; /* pcs of operations before which (after which) threads can be left freely, according
	                                 * to `rules` */
	struct {
		LP_VEC(struct lp_place_rule);
	} rules;
	bool cut;      /* some graph was abandoned because of the bound */
	bool outdated; /* a place was learned after a graph was abandoned because of the bound */
	int cost;      /* the cost of the execution with the error; -1: not known */
};

/* Returns NULL if the options have no bound. */
struct lp_bound *lp_bound_open(const struct lp_explorer *);
void lp_bound_close(struct lp_bound *);

/* The explorer calls the following functions to tell the bound what it does.  To be called when an event was accepted into
 * the graph. */
void lp_bound_note(struct lp_explorer *, lp_eid);
/* To be called when the thread's last iteration was left out. */
void lp_bound_note_iteration(struct lp_explorer *, lp_tid);
/* To be called when a read-modify-write was left to another thread; `read` is its read. */
void lp_bound_note_help(struct lp_explorer *, lp_eid read);
/* To be called when the thread's last read makes the read before it redundant (redundant_rereads.h). */
void lp_bound_note_reread(struct lp_explorer *, lp_tid);
/* To be called when a read waits as a twin (twins.h); `twin` is 1 + the index of the load.  The read is either the next event of its thread, or
 * the last one, which was revisited. */
void lp_bound_note_twin(struct lp_explorer *, const struct lp_event *read, uint32_t twin);
/* Frees the facts. */
void lp_bound_forget(struct lp_bound_facts *);
/* Must the exploration restart, because a place was learned after a graph was abandoned because of the bound? */
bool lp_bound_is_outdated(const struct lp_explorer *);

/* Can the graph of the top frame still become an execution within the bound?  Returns true if there is no bound, as the next two functions
 * do. */
bool lp_bound_allows(struct lp_explorer *);
/* To be called when no thread can go on.  Is the execution within the bound? */
bool lp_bound_admits(struct lp_explorer *);
/* To be called when the thread has met an error.  Do the events that led to the error have a schedule within the bound? */
bool lp_bound_admits_error(struct lp_explorer *, lp_tid);

/* Has a thread met an error that is not within the bound? */
bool lp_bound_has_erred(struct lp_explorer *);

/* To be called when the error ends the exploration.  Puts the operations of the top frame into the order of the cheapest schedule, and stores the
 * cost of this schedule in the facts. */
void lp_bound_order(struct lp_explorer *, lp_tid, const struct lp_program_error *);

#endif
