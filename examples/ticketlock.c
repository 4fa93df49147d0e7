/* ticketlock.c -- a ticket lock: first come, first served.
 *
 * D. Reed and R. Kanodia, "Synchronization with Eventcounts and Sequencers" (CACM 1979).  A
 * ticket has one holder, so drawing one needs no order; the data are handed over by the number
 * that is called.
 */
#include <stdatomic.h>

#ifndef CALL
#define CALL memory_order_release
#endif

struct ticketlock {
	atomic_uint next, called;
};

static unsigned draw(struct ticketlock *l)
{
#ifdef LOAD_THEN_STORE
	unsigned ticket = atomic_load_explicit(&l->next, memory_order_relaxed);
	atomic_store_explicit(&l->next, ticket + 1, memory_order_relaxed);
	return ticket;
#else
	return atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
#endif
}

static void ticketlock_lock(struct ticketlock *l)
{
	unsigned ticket = draw(l);
	while (atomic_load_explicit(&l->called, memory_order_acquire) != ticket)
		;
}

static void ticketlock_unlock(struct ticketlock *l)
{
	unsigned ticket = atomic_load_explicit(&l->called, memory_order_relaxed);
	atomic_store_explicit(&l->called, ticket + 1, CALL);
}

#include <linchpin.h>

static struct ticketlock l;
static int holders; /* what the lock is there to protect */

LP_SPEC("lock")
LP_AFTER("unlock", "lock")
LP_METHOD(lock) { ticketlock_lock(&l); holders++; return LP_VOID; }
LP_METHOD(unlock) { holders--; ticketlock_unlock(&l); return LP_VOID; }
