/* slotsemaphore.c -- a semaphore whose permits are in slots, so that callers rarely meet.
 *
 * Taking a permit synchronises with the release that put it into its slot, and with no other: that
 * is all a semaphore promises.  (One that counts in a single word happens to order all of them.)
 *
 *     -DINIT=1                      so many permits at first; there are never more than SLOTS
 *     -DTAKE=memory_order_relaxed   who takes a permit does not see what was done before it was given
 *     -DGIVE=memory_order_relaxed   who gives one does not publish what it did
 */
#include <stdatomic.h>
#include <stdbool.h>

#ifndef INIT
#define INIT 0
#endif
#ifndef SLOTS
#define SLOTS 8
#endif
#ifndef TAKE
#define TAKE memory_order_acquire
#endif
#ifndef GIVE
#define GIVE memory_order_release
#endif

_Static_assert(INIT <= SLOTS, "more permits than slots");

/* Exchanges one slot, any one, that has the other value. */
static void turn(atomic_bool *slot, bool to, memory_order order)
{
	for (;;)
		for (int i = 0; i < SLOTS; i++) {
			bool from = !to;
			if (atomic_load_explicit(&slot[i], memory_order_relaxed) == from &&
			    atomic_compare_exchange_strong_explicit(&slot[i], &from, to, order, memory_order_relaxed))
				return;
		}
}

#include <linchpin.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static atomic_bool slot[SLOTS];

LP_SPEC("semaphore:init=" TEXT(INIT))
LP_SETUP
{
	for (int i = 0; i < INIT; i++)
		atomic_store_explicit(&slot[i], true, memory_order_relaxed);
}
LP_METHOD(acquire) { turn(slot, false, TAKE); return LP_VOID; }
LP_METHOD(release) { turn(slot, true, GIVE); return LP_VOID; }
