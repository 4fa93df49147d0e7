/* holds.h -- locks and permits: what is given back happens before it is taken again.
 *
 * A lock that does not order what it protects is no lock: that an unlock synchronises with the
 * next lock is part of the specification, whatever --sync says.  Methods declare what they do by
 * their roles (LP_TAKES, LP_GIVES, LP_SHARES), and calls that return false do nothing.
 *
 * Without LP_SHARES (lock, semaphore) there are permits: so many at first as calls that take one
 * are accepted in a row, and one for each call that gives.  In a linearization, at each call
 * that takes, all calls that have taken so far must be able to have a permit of their own: one of
 * the first, or that of a call which has given so far and happens before the taking one.
 *
 *     lock, init 1      l1 u1 l2 u2 l3    l1 has the first permit; l2 can only have that of u1, since
 *                                         l1 comes before u1 in its thread, and l3 that of u2
 *     semaphore, init 0 p1 p2 w1 w2       p1 before w1 and p2 before w2 will do, or the other way
 *                                         round; nothing is said about p1 and w2 then
 *
 * Which give a take of several permits belongs to cannot be told from results, so nothing more is
 * asked: a counter with fetch_add orders all earlier gives, by its release sequence, while
 * permits kept in slots of an array order only the one that was in the slot.  Both are right.
 * Less would be wrong: without some such pairing a take returns by a permit that it does not see.
 *
 * With LP_SHARES (rwlock) a writer's take comes after all that was given back before, and a
 * reader's after all that writers gave back.  Between readers nothing is asked.
 *
 * Both depend on which calls came before, not on their order: so does the memory of place.c.
 */
#ifndef LP_CHECK_CLIENTS_HOLDS_H
#define LP_CHECK_CLIENTS_HOLDS_H

#include <stdbool.h>
#include <stdint.h>

struct lp_observation;
struct lp_observed;
struct lp_place;

struct lp_holds {
	bool any;         /* the specification has methods that take */
	bool shared;      /* and some that share */
	uint32_t permits; /* at first; no more than there are calls */
};

/* Needs the specification of the place and its states. */
void lp_holds_open(struct lp_place *);

/* Did the call, which returned, take or give anything? */
bool lp_holds_concern(const struct lp_place *, const struct lp_observed *);

/* As lp_place_synchronised(), for what is taken.  `*from` is a call whose permit is not assigned. */
bool lp_holds_synchronised(const struct lp_place *, const struct lp_observation *,
			   const uint32_t *order, uint32_t placed, uint32_t call, uint32_t *from);

/* Did the one take what the other gave, and can a client rely on that?  It can where a thread
 * holds the lock between taking and giving it back; of several permits it may get any. */
bool lp_holds_handed(const struct lp_place *, const struct lp_observation *, uint32_t from, uint32_t to);

#endif
