/* turns.h -- internal to schedule.h: what searches for delays and for rounds have in common.
 *
 * Numbers.  Like threads get their numbers during the search: when the scheduler first comes to a number of a group of like threads, each
 * thread of the group that has no number yet is tried.  Like threads were started without a step of another thread in between
 * (like_threads.h), so only the turns depend on the numbers.
 *
 * Lent operations (LP_LEAVE_LENT) are performed as soon as possible, even during the turns of other threads.  Everything that would be
 * possible later otherwise is still possible, and the thread can be left freely before and after these operations.
 */
#ifndef LP_EXPLORE_BOUND_TURNS_H
#define LP_EXPLORE_BOUND_TURNS_H

#include "explore/bound/schedule_search.h"

/* Lets the thread perform events until it has performed `end` events in all, or cannot continue.  Lent operations of all threads are
 * performed, too.  Returns true if the thread has performed any event. */
bool lp_turns_run_to(struct lp_schedule *, uint32_t *at, uint32_t thread, uint32_t end);

/* Takes the numbers from all threads that are like another one.  If there are such threads, sets `tries`. */
void lp_turns_forget_numbers(struct lp_schedule *);
/* Does the thread have a number? */
bool lp_turns_has_number(const struct lp_schedule *, uint32_t thread);
/* The first thread, among thread t and those after it, that may get that number; LP_NO_THREAD: there is none. */
uint32_t lp_turns_next_for(const struct lp_schedule *, uint32_t number, uint32_t t);

/* The result of a search that chooses numbers.  `ended`: the search ended early, because it has found a schedule or has given up. */
enum lp_schedule_found lp_turns_found(const struct lp_schedule *, bool ended);

#endif
