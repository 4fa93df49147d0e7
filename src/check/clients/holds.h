/* holds.h -- locks and permits: a release happens before the next acquisition.
 *
 * A lock must order what it protects.  So it is part of the specification, whatever --sync says, that
 * an unlock synchronises with the next lock.  Methods declare what they do by their roles
 * (LP_TAKES, LP_GIVES, LP_SHARES); calls that return false do nothing.
 *
 * Without LP_SHARES (lock, semaphore) there are permits.  The initial number is how many calls that
 * take one are accepted in a row; each call that gives adds one.  In a linearization, at each call
 * that takes, it must be possible to assign a different permit to each call that has taken so far: an
 * initial one, or that of a call that has given so far and happens before the taking call.
 *
 *     lock, init 1      l1 u1 l2 u2 l3    l1 has the initial permit; l2 can only have that of u1, since
 *                                         l1 comes before u1 in its thread, and l3 that of u2
 *     semaphore, init 0 p1 p2 w1 w2       it is enough that p1 happens before w1 and p2 before w2, or
 *                                         the other way round
 *
 * With several permits, results do not tell which give a take belongs to, so nothing more is
 * required: a counter with fetch_add orders all earlier gives, by its release sequence, while
 * permits kept in slots of an array order only the give that filled the slot.  Both are correct.
 * Requiring less would be wrong: a take could return with a permit whose give it does not see.
 *
 * With LP_SHARES (rwlock) a writer's acquisition comes after all earlier releases, and a reader's
 * after all earlier releases by writers.  Nothing is required between readers.
 *
 * Both conditions depend on the set of earlier calls, not on their order.  place.c relies on that when
 * it remembers sets of placed calls.
 */
#ifndef LP_CHECK_CLIENTS_HOLDS_H
#define LP_CHECK_CLIENTS_HOLDS_H

#include <stdbool.h>
#include <stdint.h>

struct lp_observation;
struct lp_observed;
struct lp_place;

struct lp_holds {
	bool any;         /* the specification has methods with LP_TAKES */
	bool shared;      /* the specification has methods with LP_SHARES */
	uint32_t permits; /* the initial number; at most the number of calls */
};

/* Fills in p->holds; the specification and the states of the place must be set. */
void lp_holds_open(struct lp_place *);

/* Did the call, which returned, take or give anything? */
bool lp_holds_concern(const struct lp_place *, const struct lp_observed *);

/* As lp_place_synchronised(), for what is taken.  `*from` is a call whose permit is not assigned. */
bool lp_holds_synchronised(const struct lp_place *, const struct lp_observation *,
			   const uint32_t *order, uint32_t placed, uint32_t call, uint32_t *from);

/* Did call `to` take what call `from` gave, and can a client rely on that?  It can if a thread
 * holds the lock from acquisition to release; of several permits a call may get any. */
bool lp_holds_handed(const struct lp_place *, const struct lp_observation *, uint32_t from, uint32_t to);

#endif
