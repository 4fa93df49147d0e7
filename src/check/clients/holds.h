/* holds.h -- locks and permits: a release happens before the next acquisition.
 *
 * A lock must order what it protects.  So an unlock must happen before the next acquisition of the lock,
 * with every value of --sync.  Methods declare what they do by their roles (LP_TAKES, LP_GIVES,
 * LP_SHARES).  Calls that return false take and give nothing.
 *
 * Without LP_SHARES (lock, semaphore) there are permits.  The initial number of permits is how many
 * taking calls the specification accepts in a row.  Each giving call adds a permit.  For each taking call
 * in a linearization, it must be possible to assign different permits to this call and to all taking
 * calls before it.  A taking call may get an initial permit, or the permit of an earlier giving call that
 * happens before it.
 *
 *     lock, init 1      l1 u1 l2 u2 l3    l1 gets the initial permit, since it precedes u1 in its thread;
 *                                         l2 can then only get the permit of u1, and l3 that of u2
 *     semaphore, init 0 p1 p2 w1 w2       it is enough that p1 happens before w1 and p2 before w2, or
 *                                         the other way round
 *
 * With several permits, results do not tell from which giving call a permit comes, so nothing more is
 * required.  In a semaphore that is a counter with fetch_add, all earlier giving calls happen before a
 * taking call, because of the release sequence.  In a semaphore that is an array whose slots hold permits,
 * only the giving call that filled the slot happens before the taking call.  Both semaphores are correct.
 * Requiring less would be wrong: a call could return with a permit although the call that gave this
 * permit does not happen before it.
 *
 * With LP_SHARES (rwlock), all earlier releases must happen before a writer's acquisition, and all
 * earlier releases by writers before a reader's acquisition.  Nothing is required between readers.
 *
 * Both conditions depend on the set of earlier calls, not on their order.  place.c uses this: it
 * remembers sets of placed calls, not sequences.
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
	uint32_t permits; /* the initial number of permits; at most LP_OBSERVED_CALLS */
};

/* Fills in p->holds; the specification and the states of the place must be set. */
void lp_holds_open(struct lp_place *);

/* Did the call take or give anything?  False for a call that never returned. */
bool lp_holds_concern(const struct lp_place *, const struct lp_observed *);

/* Decides what lp_place_synchronised() decides, for locks and permits only.  If the answer is false,
 * `*from` is a giving call that should happen before `call`, and does not. */
bool lp_holds_synchronised(const struct lp_place *, const struct lp_observation *,
			   const uint32_t *order, uint32_t placed, uint32_t call, uint32_t *from);

/* Is `from` a release and `to` an acquisition of a lock that protects data between acquisition and release?
 * True only if each thread releases only what it holds, and no call of the observation uses a method that
 * acquires and can fail.  False if there are several permits, since a call may get any of them. */
bool lp_holds_handed(const struct lp_place *, const struct lp_observation *, uint32_t from, uint32_t to);

#endif
