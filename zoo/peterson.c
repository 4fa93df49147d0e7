/* peterson.c -- a lock of two threads, by loads and stores alone.
 *
 * G. Peterson, "Myths about the Mutual Exclusion Problem" (IPL 1981).  Each says that it wants to, and lets the
 * other one go first; the last to do so waits.  The two threads have methods of their own, by the two
 * names that the specification has for each.
 *
 *     -DSTORE=memory_order_release -DLOAD=memory_order_acquire
 *                  wrong: on x86, too, each may miss what the other has stored
 *     and -DFENCE  enough on x86; elsewhere `turn` may be stored before `wants`
 *     and -DSWAP   enough: who swaps `turn` has seen what the other wants
 */
#include <stdatomic.h>

#ifndef STORE
#define STORE memory_order_seq_cst
#endif
#ifndef LOAD
#define LOAD memory_order_seq_cst
#endif

struct peterson {
	atomic_int wants[2], turn;
};

static void peterson_lock(struct peterson *p, int me)
{
	const int other = 1 - me;

	atomic_store_explicit(&p->wants[me], 1, STORE);
#ifdef SWAP
	atomic_exchange_explicit(&p->turn, other, memory_order_acq_rel);
#else
	atomic_store_explicit(&p->turn, other, STORE);
#endif
#ifdef FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	while (atomic_load_explicit(&p->wants[other], LOAD) && atomic_load_explicit(&p->turn, LOAD) == other)
		;
}

static void peterson_unlock(struct peterson *p, int me)
{
	atomic_store_explicit(&p->wants[me], 0, memory_order_release);
}

#include <linchpin.h>

static struct peterson p;
static int holders; /* what the lock is there to protect */

LP_SPEC("lock")
LP_ROLE("lock unlock")
LP_ROLE("acquire release")
LP_AFTER("unlock", "lock")
LP_AFTER("release", "acquire")
LP_METHOD(lock) { peterson_lock(&p, 0); holders++; return LP_VOID; }
LP_METHOD(unlock) { holders--; peterson_unlock(&p, 0); return LP_VOID; }
LP_METHOD(acquire) { peterson_lock(&p, 1); holders++; return LP_VOID; }
LP_METHOD(release) { holders--; peterson_unlock(&p, 1); return LP_VOID; }
