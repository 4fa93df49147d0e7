/* park.h -- takes the reads of waiting threads out of the graph.
 *
 *     while (load(&turn) != mine)       T reads `turn`, finds that it has to wait, and reads again
 *             ;
 *
 * TruSt keeps the failed read in the graph until a write revisits it.  Meanwhile other threads go on, and with
 * every further write to the location there is one more graph in which T still reads an older value and
 * waits.  Most of the graphs of a ticket lock are of this sort.  So the read of a thread that waits is taken
 * out of the graph instead.
 *
 * An await is an operation that waits until its condition holds (a lock, a semaphore), or a loop whose iteration is a
 * single read and, with some answers to this read, is redundant (grow.h: lp_explorer_goes_round()).  We say that an
 * answer, or the write that it comes from, *fails* if the thread waits with this answer.
 *
 *   1  When a thread T at an await has its turn, the explorer tries the read with each write that the model allows.  If the read is from the
 *      last write in co and this write fails, the read is taken out, and a mark is left in its place: T is parked.  (If T reads
 *      from another write that fails, no complete execution extends the graph, because only maximal reads are
 *      revisited.)
 *   2  T has its turn again when a write to the location was added after the mark.  T then reads only from writes
 *      that were added after the mark.  If the last write in co fails, or is not one of these writes, there is one more alternative: T
 *      remains parked, has now seen these writes, and gets another mark.  For 2 and 5, this other mark is in the place of this turn
 *      (lp_mark.seen); for 3 it is still in the place of the first mark (lp_mark.at).
 *   3  Let a write w revisit the read of an await, and let w be last in co and fail.  Then, before any other thread goes on, a mark
 *      takes the place of the read: T is parked because of w.  In a later turn T may read from a write v only if two things hold.  First, w
 *      is in the past of v.  Second, let u be the last write in co among the writes in the past of v and the writes before this mark; then u is w,
 *      or a write from which T may read by this rule.  If T may not read from the last write in co, it may remain parked.  When T has read in
 *      its turn, only writes with w in their past revisit that read.
 *   4  Marks are not in the past of an event, and never prevent a revisit.  But a write because of which a thread was
 *      parked is not maximal: it counts as a write that has revisited a read.
 *   5  A revisit keeps the marks before the revisited read.  Their threads have then seen the writes that they had
 *      seen before this read.
 *   6  If T already has many marks at one operation, it gets another one there only if it may not read from the last write.  If it may, the read from
 *      the last write stays in the graph even if this write fails.  (In this case T may wait forever, and the limits on threads that wait forever are
 *      about reads in the graph.)
 *   7  When no thread can go on, each parked thread reads the last write and waits.  If 3 forbids a thread to read the last
 *      write, the graph is blocked.
 *
 * Why nothing is lost, and nothing is visited twice.  A mark stands for the waiting read in TruSt, whose rf is the last
 * write before the mark, or w.  In TruSt a later write v revisits this read.  The revisit removes the events that were added since
 * the mark and are not in v's past, and these events are then added again in every possible way.  Each of these ways is also a graph
 * here, in which T is parked, since the events that were added do not depend on T.  In that graph T reads from v in its
 * turn.  If v is not the first write after the mark, T had turns before, and remained parked in exactly one way, by 2 or 3.
 * Conversely, if T reads from a write v here, there is exactly one graph of TruSt in which v has revisited the read.
 *
 * Now let T be parked because of w.  In TruSt w is in the past of v: otherwise v's revisit would remove w, but a revisit removes only maximal
 * events, and w is not maximal, because it has revisited an earlier read.  And for v's revisit the read must be maximal: it must read from the write
 * u that is last in co among the writes before the mark and in the past of v.  It does so if u is w, or if u has revisited the read before v.  If u
 * cannot revisit the read, TruSt reaches this graph without a revisit of the read by w, and if T could read from v here, the graph would be visited
 * twice.  This is the reason for 3 and 4.  If T is not parked because of a write, T has read or seen the last write at each of its turns, and u is
 * one of these writes.
 *
 * A turn of T is a choice at its place in the graph, like other choices: T reads one of the writes that are offered, or remains parked.  A
 * revisit of a read after this place keeps the choice, so T must not choose again between the same writes.  A revisit of a read before this
 * place undoes the choice, and is made only from the graph in which T remained parked, because a read from a write that is not the last is
 * not maximal.  This is the reason for 5.
 *
 * By 6, a read from the last write stays in the graph where T would otherwise remain parked.  This read takes the place of the alternative that
 * T remains parked, and the other alternatives of T are unchanged.  From then on the read is as in TruSt, where it also reads from this write at this
 * place: it is maximal, so it does not prevent a revisit of an earlier read, and each later write v revisits it in one way.  With 3, v does so only
 * if w is in the past of v, as for any read of T in such a turn.  The marks before the read depend only on what was added before it.  So in all
 * graphs that have the read, T has equally many marks.
 *
 * Races with failed reads are not lost.  A failed read of a loop is performed before it is taken out, and recorded as part of an
 * iteration that is left out (omitted_races.h).  For an operation that waits, its location is checked for races when the thread comes to the
 * operation (lockstep.c).  Neither leaves plain writes behind.
 *
 * If a loop iteration has failed without accessing anything else, it always fails in the same live state with the same answer.  So reads that are
 * known to fail are not performed again.  They are recorded as if they had not synchronised, so that as few events as possible happen before them.
 * Writes of another thread to memory that was that thread's own (own.h) are not recorded.  So a read of memory that was not made public in the past
 * of T is performed each time.  The same holds for read-modify-writes that write what they read: while (exchange(&lock, 1)).
 * If a parked thread is known to fail with each write that it is offered, its turn needs no choice: the thread remains parked,
 * as in 2.
 */
#ifndef LP_EXPLORE_REDUCE_PARK_H
#define LP_EXPLORE_REDUCE_PARK_H

#include "explore/graph/frame.h"

/* Adds a mark after the others. */
void lp_park_add_mark(struct lp_frame *, const struct lp_mark *);

/* The number of the thread's mark, from 1, if the thread is parked; otherwise 0. */
uint32_t lp_park_mark_of(const struct lp_frame *, lp_tid);

/* Is there a write that the parked thread has not seen? */
bool lp_park_mark_has_news(const struct lp_frame *, const struct lp_mark *);

/* Does the parked thread remain parked, because there are no writes that it has not seen, or because all of these are known to
 * fail?  In the second case it has now seen them. */
bool lp_park_remains(struct lp_explorer *, lp_tid);

/* May the thread with mark number `mark` read from the write?  If `mark` is 0, the thread has none, and may read from every write. */
bool lp_park_mark_offers(const struct lp_frame *, uint32_t mark, lp_eid write);

/* May the write revisit the read, if the thread of the read has read in a turn after it was parked?  (See the end of 3.)  Returns true for all
 * other reads. */
bool lp_park_mark_lets_revisit(const struct lp_frame *, const struct lp_event *read, lp_eid write);

/* Can the operation on location `loc` write, and may a parked thread be waiting for a write to this location? */
bool lp_park_wakes(const struct lp_frame *, const struct lp_op *, uint32_t loc);

/* Is some thread parked because of the write? */
bool lp_park_is_because(const struct lp_frame *, lp_eid write);

/* Would the parked thread wait forever, if no thread went on? */
bool lp_park_mark_is_for_good(const struct lp_frame *, const struct lp_mark *);

/* To be called when the thread's last iteration is redundant.  If the iteration always fails in this live state with this answer,
 * remembers this. */
void lp_park_note_failure(struct lp_explorer *, lp_tid);

/* Has an iteration with this read, in this live state, been remembered as one that always fails? */
bool lp_park_is_known_to_fail(const struct lp_explorer *, const struct lp_event *read, uint32_t live);

/* While several answers to one operation are tried in the same graph: was the operation recorded (omitted_races.h)?  The record does not depend on
 * the answer, but only on whether the operation writes: `await[1]` is for the case that it writes, `await[0]` for the other case. */
struct lp_park_noted {
	bool await[2];
};

/* Is the read, which is not in the graph yet, known to fail?  If so, records it, unless this was done before for the same
 * operation. */
bool lp_park_fails(struct lp_explorer *, const struct lp_event *proto, uint32_t live, struct lp_park_noted *);

/* Is the thread's last event the failed read of an await, and must this read be taken out of the graph? */
bool lp_parks(const struct lp_explorer *, lp_tid);

/* If lp_parks(): takes the read out of the graph, and leaves a mark. */
void lp_park(struct lp_explorer *, lp_tid);

/* To be called when the read is about to be tried with every write.  `mark` is the number of its thread's mark, or 0.  Can the thread also
 * be parked without performing the read, because the last write is known to fail, or is not offered?  If so,
 * lp_park_without() parks it. */
bool lp_may_park(struct lp_explorer *, const struct lp_event *proto, const struct lp_note *, uint32_t mark);
void lp_park_without(struct lp_explorer *, const struct lp_event *proto, uint32_t live, uint32_t mark);

/* Fills in the marks of a frame whose graph was made from the graph of `from` by a revisit of
 * `read`. */
void lp_park_marks_revisit(struct lp_frame *to, const struct lp_frame *from, lp_eid read, const lp_eid *renamed);

/* To be called when no thread can go on.  Lets each parked thread read the last write and wait (7).  Returns false if 3 forbids a thread to
 * read the last write, if a thread would not wait after this read, or if the read is an error, which ends the exploration. */
bool lp_park_marks_end(struct lp_explorer *);

#endif
