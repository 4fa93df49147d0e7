/* bakery.c -- Lamport's bakery lock (CACM 1974), whose threads have numbers: lp_thread(). */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { THREADS = 5 }; /* the first number is 1 */

static atomic_bool choosing[THREADS];
static atomic_int ticket[THREADS];

LP_SPEC("lock")
LP_AFTER("unlock", "lock")

LP_METHOD(lock)
{
	const unsigned me = lp_thread();
	int highest = 0;

	atomic_store(&choosing[me], true);
	for (unsigned t = 1; t < THREADS; t++) {
		const int other = atomic_load(&ticket[t]);
		highest = other > highest ? other : highest;
	}
	atomic_store(&ticket[me], highest + 1);
	atomic_store(&choosing[me], false);
	for (unsigned t = 1; t < THREADS; t++) {
		while (t != me && atomic_load(&choosing[t]))
			;
		for (;;) {
			const int other = t == me ? 0 : atomic_load(&ticket[t]);
#ifdef TIES /* of two with the same ticket, the one with the lower number goes first */
			if (!other || other > highest + 1)
				break;
#else
			if (!other || other > highest + 1 || (other == highest + 1 && t > me))
				break;
#endif
		}
	}
	return LP_VOID;
}

LP_METHOD(unlock)
{
	atomic_store(&ticket[lp_thread()], 0);
	return LP_VOID;
}
