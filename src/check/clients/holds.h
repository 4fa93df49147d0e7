/* holds.h -- locks and permits: a release happens before the next acquisition.
 *
 * A lock must order what it protects.  So the specification of a lock requires that an unlock
 * synchronises with the next lock, with every value of --sync.  Methods declare what they do by their
 * roles (LP_TAKES, LP_GIVES, LP_SHARES); calls that return false do nothing.
 *
 * Without LP_SHARES (lock, semaphore) there are permits.  The initial number of permits is how many
 * taking calls the specification accepts in a row; each giving call adds one.  Consider a taking call
 * in a linearization.  It must be possible to assign a permit to each taking call up to this one, no
 * permit twice.  A call may get an initial permit, or the permit of an earlier giving call that
 * happens before it.
 *
 *     lock, init 1      l1 u1 l2 u2 l3    l1 has the initial permit; l2 can only have that of u1, since
 *                                         l1 comes before u1 in its thread, and l3 that of u2
 *     semaphore, init 0 p1 p2 w1 w2       it is enough that p1 happens before w1 and p2 before w2, or
 *                                         the other way round
 *
 * With several permits, results do not tell from which giving call a permit comes, so nothing more is
 * required.  A counter with fetch_add orders all earlier giving calls before a taking call, because of
 * its release sequence.  An array whose slots hold permits orders only the call that filled the slot.
 * Both are correct.  Requiring less would be wrong: a call could return with a permit although the
 * call that gave this permit does not happen before it.
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
	uint32_t permits; /* the initial number; at most the number of calls */
};

/* Fills in p->holds; the specification and the states of the place must be set. */
void lp_holds_open(struct lp_place *);

/* Did the call, which returned, take or give anything? */
bool lp_holds_concern(const struct lp_place *, const struct lp_observed *);

/* Does what lp_place_synchronised() does, for locks and permits.  `*from` becomes a giving call whose
 * permit is not assigned. */
bool lp_holds_synchronised(const struct lp_place *, const struct lp_observation *,
			   const uint32_t *order, uint32_t placed, uint32_t call, uint32_t *from);

/* Did call `to` take what call `from` gave, in a way that a client can rely on?  This is so for a lock
 * that a thread holds from acquisition to release, but not for one of several permits, since a call
 * may get any of them. */
bool lp_holds_handed(const struct lp_place *, const struct lp_observation *, uint32_t from, uint32_t to);

#endif
