/* park.h -- threads that wait are not in the graph.
 *
 *     while (load(&turn) != mine)       T reads `turn`, finds that it has to wait, and is where it was before
 *             ;
 *
 * TruSt keeps the read in the graph until a write revisits it.  Meanwhile other threads go on, and with every
 * further write to the location there is one more graph in which T still waits for what was there before:
 * most of what is explored of a ticket lock is that.  So a thread that waits is taken out instead.
 *
 * An await is an operation that waits until its condition holds (a lock, a semaphore), or a loop whose
 * iteration is one read, and redundant (grow.h: lp_explorer_goes_round()) with some of its answers.  An answer with which
 * the thread waits fails.
 *
 *   1  When it is the turn of a thread T at an await, it reads from each write that the model allows.  Where the
 *      last write in co fails, the read is taken out, and a mark is left in its place: T is parked.  (With another
 *      write that fails, no complete execution extends the graph, as ever: only maximal reads are revisited.)
 *   2  T has its turn again when there is a write to the location that came after the mark.  It then reads only from
 *      such.  If the last write in co is one of them and fails, or is none of them, T remains parked,
 *      and has now seen them: another mark, in the place of the turn.
 *   3  A write w that revisits the read of an await, is last in co, and fails, leaves a mark in the place of the read,
 *      because of w, before any other thread goes on.  T then reads only from a write v with w in its past, for which
 *      the last write in co among those in the past of v, and those before the mark, is w, or in turn such a write.  If
 *      the last write is none, T may remain parked.  When T has read, in its turn, only writes with w in their past revisit that read.
 *   4  Marks are in no event's past, and never stand in the way of a revisit; but a write because of which a thread was
 *      parked counts as one that has revisited an event before it: it is not maximal.
 *   5  A revisit keeps the marks before the revisited read, and what these threads have seen there.
 *   6  When no thread can go on, those that are parked read the last write and wait.  If 3 does not let a thread read the last
 *      write, the graph is blocked.
 *
 * Why nothing is lost, and nothing is visited twice.  A mark stands for the read of TruSt that waits, with the
 * last write before it, or with w, as its rf.  TruSt revisits this read by a later write v: it takes out what was added
 * since the mark and is not in v's past, and adds it again, in every way.  Each such way is also a graph here, in which
 * T is parked, since what was added does not depend on T.  There T reads from v in its turn.  If v is not the
 * first such write, T had turns before it, and remained parked in one of them: that of 2 or 3 is the only one.  Conversely,
 * what T reads from here is v in one graph of TruSt.
 *
 * With a mark because of w: w is in the past of v there, as w is kept by the revisit, or else it would have to be maximal, and it
 * is read by an event before it.  And the read is maximal as v sees it: it reads from the last write u before the mark or in the past of v.  It
 * does if u is w, or if u has revisited it before v did.  Where u can not, TruSt comes to such a graph without w having revisited the
 * read; so that it would be met twice if T read from v here: hence 3 and 4.  Without w, T has read, or seen, the last write at
 * each of its turns, and u is one of these.
 *
 * A turn in which T remains parked is a choice like any other, made at its place: reading one of the writes that are offered is the other.  A
 * revisit of a read after that place keeps the choice, and T must not choose again between the same writes; one of a read before it
 * takes it back, and only from the graph in which T remained parked, since a read of a write that is not the last is not maximal: hence 5.
 *
 * What failed reads access is not forgotten.  Each is performed before it is taken out, and recorded as
 * part of an iteration that is left out (omitted_races.h); an operation that waits looks at its location when the thread comes
 * to it (lockstep.c).  Neither leaves plain writes.
 *
 * A live state and an answer with which a loop has failed, accessing nothing else, fail always.  So reads that are
 * known to fail are not performed again: they are recorded as if they had synchronised with nothing, which is the
 * least that may be ordered before them.  What another thread did to memory while that was its own (own.h) is not recorded, so a read of memory that was
 * not made public in the past of the thread is performed each time.  The same holds for read-modify-writes that write what they read: while (exchange(&lock, 1)).
 * A turn of a parked thread in which it is known to fail with each write that it is offered needs no choice: the thread remains parked, as in 2.
 */
#ifndef LP_EXPLORE_REDUCE_PARK_H
#define LP_EXPLORE_REDUCE_PARK_H

#include "explore/graph/frame.h"

/* Adds a mark after the others. */
void lp_park_add_mark(struct lp_frame *, const struct lp_mark *);

/* The mark of the thread, if it is parked, by number from 1; or 0. */
uint32_t lp_park_mark_of(const struct lp_frame *, lp_tid);

/* Is there a write that the parked thread has not seen? */
bool lp_park_mark_has_news(const struct lp_frame *, const struct lp_mark *);

/* Does the parked thread remain so, because it has no news, or because all of these are known to fail?  Then it has seen them. */
bool lp_park_remains(struct lp_explorer *, lp_tid);

/* May the thread with that mark, or without if it is 0, read from the write? */
bool lp_park_mark_offers(const struct lp_frame *, uint32_t mark, lp_eid write);

/* May the write revisit the read, whose thread has perhaps been parked there? */
bool lp_park_mark_lets_revisit(const struct lp_frame *, const struct lp_event *read, lp_eid write);

/* May a parked thread have news by the operation on that location? */
bool lp_park_wakes(const struct lp_frame *, const struct lp_op *, uint32_t loc);

/* Is some thread parked because of the write? */
bool lp_park_is_because(const struct lp_frame *, lp_eid write);

/* Would the parked thread wait forever, if no thread went on? */
bool lp_park_mark_is_for_good(const struct lp_frame *, const struct lp_mark *);

/* The thread's last iteration is redundant: if it is one that fails always, that is remembered. */
void lp_park_note_failure(struct lp_explorer *, lp_tid);

/* Has such an iteration begun with that read, in that live state? */
bool lp_park_is_known_to_fail(const struct lp_explorer *, const struct lp_event *read, uint32_t live);

/* What was recorded of an operation, in the same graph, of which the thread tries several answers: the account does not
 * depend on these, but on whether it writes. */
struct lp_park_noted {
	bool await[2];
};

/* Is the read, not yet in the graph, known to fail?  Then it is recorded, unless it was. */
bool lp_park_fails(struct lp_explorer *, const struct lp_event *proto, uint32_t live, struct lp_park_noted *);

/* Is the thread's last event the failed read of an await, and is that to be taken out? */
bool lp_parks(const struct lp_explorer *, lp_tid);

/* Takes it out, and leaves a mark. */
void lp_park(struct lp_explorer *, lp_tid);

/* The read is about to be tried with every write.  Is one way to park its thread, which has that mark or 0, without
 * performing it: because the last write is known to fail, or is not offered? */
bool lp_may_park(struct lp_explorer *, const struct lp_event *proto, const struct lp_note *, uint32_t mark);
void lp_park_without(struct lp_explorer *, const struct lp_event *proto, uint32_t live, uint32_t mark);

/* The marks of a frame whose graph is made of that of `from` by a revisit of the event. */
void lp_park_marks_revisit(struct lp_frame *to, const struct lp_frame *from, lp_eid read, const lp_eid *renamed);

/* No thread can go on: those that are parked read what they wait for.  False if one would not wait, or that
 * is an error, and the exploration is over. */
bool lp_park_marks_end(struct lp_explorer *);

#endif
