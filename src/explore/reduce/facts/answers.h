/* answers.h -- facts about the writes to a location in all executions.  They tell which values a read
 * may return.
 *
 * The facts are recorded while graphs are explored, perhaps by several processes.  A reduction may rely on the assumption that a fact is
 * never seen; then it calls lp_answers_rely().  If the fact is seen later, the exploration
 * restarts, and keeps what it has recorded.
 */
#ifndef LP_EXPLORE_REDUCE_FACTS_ANSWERS_H
#define LP_EXPLORE_REDUCE_FACTS_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/value.h"
#include "graph/graph.h"

struct lp_answers;
struct lp_bytes;
struct lp_cursor;
struct lp_explorer;
struct lp_undone_pairs;

/* What has been seen in some execution at a location.  A write is public, except in two cases: happens-before orders it with everything
 * that other threads ever do; or no other thread can know of the location yet (own.h). */
enum lp_answers_fact {
	LP_ANSWERS_TWICE = 1,     /* the same value was written twice in an execution; the initial value
	                           * counts as written */
	LP_ANSWERS_STORED = 2,    /* there was a write other than an RMW that is public, or that was added after an RMW */
	LP_ANSWERS_STORED_TWICE = 4, /* there were two writes in an execution that are not RMWs, public or not */
	LP_ANSWERS_SWAPPED = 8,   /* there was an RMW that writes */
	LP_ANSWERS_SWAPPED_TWICE = 16, /* there were two RMWs that write in an execution */
	LP_ANSWERS_NEW_VALUE = 32, /* a value was written that was not recorded yet */
	LP_ANSWERS_UNSTACKED = 64, /* a value was written again that is neither the replaced value nor below it on the stack
	                            * (lp_answers_is_stacked()) */
};

/* With `shared`, the facts are in memory that is shared with processes forked later.  Returns NULL
 * if there is no memory. */
struct lp_answers *lp_answers_open(bool shared);
void lp_answers_close(struct lp_answers *);

/* Has a fact that was relied upon turned out to be false? */
bool lp_answers_is_broken(const struct lp_answers *);
/* The same, only for facts about values that were written and taken back (undone_pairs.h). */
bool lp_answers_is_undone_broken(const struct lp_answers *);
/* Forgets which facts were relied upon, and keeps what was recorded. */
void lp_answers_restart(struct lp_answers *);

/* lp_answers_write() writes the facts as bytes.  lp_answers_merge() adds the facts that another machine has written, and returns
 * false if the bytes are malformed. */
void lp_answers_write(const struct lp_answers *, struct lp_bytes *);
bool lp_answers_merge(struct lp_answers *, struct lp_cursor *);
/* To be called after lp_answers_merge() if this machine has not explored anything in this pass yet.  From then on the merged facts do not
 * count as new, because the machines on which the pass began knew them. */
void lp_answers_begin(struct lp_answers *);

/* To be called for each event of the top frame that is explored. */
void lp_answers_note(struct lp_explorer *, lp_eid);

/* The values of the location are seen as a stack, whose top is the value at position `pos` of co: below each value is the value that it
 * replaced when it was first written (stale.h).  Is the given value on this stack? */
bool lp_answers_is_stacked(const struct lp_graph *, uint32_t loc, uint32_t pos, struct lp_value);

/* Has the fact been seen at the location? */
bool lp_answers_has(const struct lp_explorer *, uint32_t loc, enum lp_answers_fact);

/* Have none of these facts been seen at the location?  If so, the exploration relies on this from now
 * on. */
bool lp_answers_rely(struct lp_explorer *, uint32_t loc, unsigned facts);

/* A bit that stands for the kind of the thread: the threads that are like it.  If there are many
 * kinds, some share LP_ANSWERS_OTHERS. */
#define LP_ANSWERS_OTHERS (UINT32_C(1) << 31)
static inline uint32_t lp_answers_kind(const struct lp_graph *g, uint32_t thread)
{
	const uint32_t eldest = g->threads.at[thread].eldest;

	LP_HOLDS(thread < g->threads.count && eldest <= thread);
	return eldest < 31 ? UINT32_C(1) << eldest : LP_ANSWERS_OTHERS;
}

/* Has no thread of these kinds ever written to the location?  Writes that happen before, or after, everything that other threads do
 * are not counted.  If no thread has, the exploration relies on this from now on. */
bool lp_answers_rely_on_writers(struct lp_explorer *, uint32_t loc, uint32_t kinds);

/* Consider all threads that have replaced this value by an RMW, in any execution.  Did all of them get the same answers before this RMW?  If
 * so, the exploration relies on this from now on. */
bool lp_answers_rely_on_way(struct lp_explorer *, uint32_t loc, struct lp_value);

/* Is there no execution with more threads than the top frame has?  If so, the exploration relies on this
 * from now on. */
bool lp_answers_rely_on_threads(struct lp_explorer *);

/* Fills in all values that were ever written to the location, or were its initial value; with `swapped`, only those
 * that RMWs have written.  From now on the exploration relies on the fact that there are no other values.  Returns the number of values;
 * UINT32_MAX if they are not all known, or if there are more than `room`. */
uint32_t lp_answers_values(struct lp_explorer *, uint32_t loc, bool swapped, struct lp_value *value, uint32_t room);

/* Records that in the top frame, or in a graph that extends it, the initial value of the location may be this one, even if no explored
 * graph has a read of it. */
void lp_answers_see_initial(struct lp_explorer *, uint32_t loc, struct lp_value);

/* Records that executions that are not explored have further stores to the location, of values that were stored there before. */
void lp_answers_see_again(struct lp_explorer *, uint32_t loc);

/* The largest number of threads of an execution.  From now on the exploration relies on it. */
uint32_t lp_answers_count_threads(struct lp_explorer *);

/* The values that were written and taken back (../undone/undone.h); NULL if the exploration no longer relies on facts. */
struct lp_undone_pairs *lp_answers_undone(const struct lp_explorer *);
/* The numbers that were added and subtracted again (../undone/shifts.h), each as a pair whose `put` is the number and whose `old` is
 * zero. */
struct lp_undone_pairs *lp_answers_shifts(const struct lp_explorer *);

#endif
