/* atomicregister.c -- a register that is one atomic variable: which synchronisation it provides.
 *
 * The registers of Golovin, Kokologiannakis and Vafeiadis, RELINCHE (POPL 2025), examples 3.1 to 3.3, are
 * docs/refinement/register_*.c.
 *
 *     -DRELAXED   relaxed accesses: nothing is ordered
 *     -DSEQ_CST   seq_cst accesses: they are in one order, but a write does not happen before the next one
 *     -DEXCHANGE  writes and reads are read-modify-writes: all calls are ordered
 */
#include <linchpin.h>
#include <stdatomic.h>

#if defined RELAXED
enum { WRITE = memory_order_relaxed, READ = memory_order_relaxed };
#elif defined SEQ_CST
enum { WRITE = memory_order_seq_cst, READ = memory_order_seq_cst };
#else
enum { WRITE = memory_order_release, READ = memory_order_acquire };
#endif

static atomic_long cell;

LP_SPEC("register")

LP_METHOD(write, v)
{
#ifdef EXCHANGE
	atomic_exchange_explicit(&cell, v, memory_order_acq_rel);
#else
	atomic_store_explicit(&cell, v, WRITE);
#endif
	return LP_VOID;
}

LP_METHOD(read)
{
#ifdef EXCHANGE
	return atomic_fetch_add_explicit(&cell, 0, memory_order_acq_rel);
#else
	return atomic_load_explicit(&cell, READ);
#endif
}
