/* answers.h -- what a read may be answered: facts about the writes to a location, in all executions.
 *
 * They are recorded while graphs are explored, perhaps by several processes.  A reduction that relies on one of
 * them says so; if it turns out to be false afterwards the exploration restarts, and remembers the facts.
 */
#ifndef LP_EXPLORE_REDUCE_FACTS_ANSWERS_H
#define LP_EXPLORE_REDUCE_FACTS_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "graph/graph.h"

struct lp_answers;
struct lp_bytes;
struct lp_cursor;
struct lp_explorer;
struct lp_undone_pairs;

/* What has been seen in some execution.  A write is public unless it happens before everything that other threads do, or
 * no other thread can know of the location yet (own.h). */
enum lp_answers_fact {
	LP_ANSWERS_TWICE = 1,     /* one value twice in an execution, the initial one included */
	LP_ANSWERS_STORED = 2,    /* a public write that is no RMW */
	LP_ANSWERS_STORED_TWICE = 4, /* two writes in an execution that are no RMWs, public or not */
	LP_ANSWERS_SWAPPED = 8,   /* an RMW */
	LP_ANSWERS_SWAPPED_TWICE = 16, /* two in one execution */
	LP_ANSWERS_NEW_VALUE = 32,
	LP_ANSWERS_UNSTACKED = 64, /* a value that was there before, and is not below the replaced one (lp_answers_is_stacked()) */
};

/* If they are shared: with processes that are forked later.  NULL if there is no memory. */
struct lp_answers *lp_answers_open(bool shared);
void lp_answers_close(struct lp_answers *);

/* Has a fact that was relied upon turned out to be false? */
bool lp_answers_is_broken(const struct lp_answers *);
/* Forgets what was relied upon; keeps what is known. */
void lp_answers_restart(struct lp_answers *);

/* Writes what is known as bytes; adds what another machine knows.  lp_answers_merge() returns false if the bytes are not valid. */
void lp_answers_write(const struct lp_answers *, struct lp_bytes *);
bool lp_answers_merge(struct lp_answers *, struct lp_cursor *);
/* After that, if nothing was explored here yet in this pass: what is new here need not be, as it was known where the pass began. */
void lp_answers_begin(struct lp_answers *);

/* Takes notice of an event of the top frame, which is explored. */
void lp_answers_note(struct lp_explorer *, lp_eid);

/* Is the value on the stack whose top is at that position of co (stale.h)?  That stack has the value there, below it the value that
 * this one replaced when it was first written, and so on. */
bool lp_answers_is_stacked(const struct lp_graph *, uint32_t loc, uint32_t pos, struct lp_value);

/* Has the fact been seen at the location? */
bool lp_answers_has(const struct lp_explorer *, uint32_t loc, enum lp_answers_fact);

/* Has none of these facts been seen at the location?  Then that is relied upon. */
bool lp_answers_rely(struct lp_explorer *, uint32_t loc, unsigned facts);

/* A bit for the threads that are like this one; some kinds share LP_ANSWERS_OTHERS. */
#define LP_ANSWERS_OTHERS (UINT32_C(1) << 31)
uint32_t lp_answers_kind(const struct lp_graph *, uint32_t thread);

/* Has no thread of these kinds ever written to the location, but for what happens before or after all that others do?  Then that is
 * relied upon. */
bool lp_answers_rely_on_writers(struct lp_explorer *, uint32_t loc, uint32_t kinds);

/* Were all threads, in all executions, that have replaced this value by an RMW answered the same before?  Then that is relied upon. */
bool lp_answers_rely_on_way(struct lp_explorer *, uint32_t loc, struct lp_value);

/* Has no execution more threads than the top frame?  Then that is relied upon. */
bool lp_answers_rely_on_threads(struct lp_explorer *);

/* All values that were ever written to the location, or were there from the beginning; or only those that RMWs have
 * written.  That there are no more is relied upon.  UINT32_MAX if there are more than `room`. */
uint32_t lp_answers_values(struct lp_explorer *, uint32_t loc, bool swapped, struct lp_value *value, uint32_t room);

/* In the top frame, or in what follows it, the location may have that value from the beginning.  A read of that need not be explored. */
void lp_answers_see_initial(struct lp_explorer *, uint32_t loc, struct lp_value);

/* How many threads an execution has, at most.  That there are no more is relied upon. */
uint32_t lp_answers_count_threads(struct lp_explorer *);

/* Values that were written and taken back; NULL if nothing is relied upon any more. */
struct lp_undone_pairs *lp_answers_undone(const struct lp_explorer *);
/* Likewise numbers that were added for a while (../undone/shifts.h), each as what replaces zero. */
struct lp_undone_pairs *lp_answers_shifts(const struct lp_explorer *);

#endif
