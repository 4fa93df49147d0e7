/* turns.h -- internal to schedule.h: what searches for delays and for rounds have in common.
 *
 * Numbers.  Like threads get their numbers during the search: when the scheduler first comes to one of their numbers, each of the like
 * threads without a number is tried.  Like threads were started without a step of another thread in between (like_threads.h), so only the
 * turns depend on the numbers.
 *
 * Lent operations (LP_LEAVE_LENT) are performed as soon as this is possible, also during the turns of other threads.  This never makes less
 * possible later, and the thread can be left freely before and after these operations.
 */
#ifndef LP_EXPLORE_BOUND_TURNS_H
#define LP_EXPLORE_BOUND_TURNS_H

#include "explore/bound/schedule_search.h"

/* Lets the thread perform events until it has performed `end` in all, together with lent operations.  Returns true
 * if it has performed any. */
bool lp_turns_run_to(struct lp_schedule *, uint32_t *at, uint32_t thread, uint32_t end);

/* Takes the numbers from all threads that are like another one, and limits the tries if there are such threads. */
void lp_turns_forget_numbers(struct lp_schedule *);
bool lp_turns_has_number(const struct lp_schedule *, uint32_t thread);
/* The next thread from t on that may have that number; LP_NO_THREAD: there is none. */
uint32_t lp_turns_next_for(const struct lp_schedule *, uint32_t number, uint32_t t);

/* What a search with these numbers says, which ends when it has found a schedule, and when it gives up. */
enum lp_schedule_found lp_turns_found(const struct lp_schedule *, bool ended);

#endif
