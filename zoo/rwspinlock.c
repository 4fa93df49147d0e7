/* rwspinlock.c -- a lock of readers and writers in one word: how many readers, or -1.
 *
 * The harness protects nothing: which unlock synchronises with which lock is for the specification
 * to demand.
 *
 *     -DREAD=memory_order_relaxed         readers do not see what the last writer did
 *     -DREAD_DONE=memory_order_relaxed    a writer may overwrite what a reader still reads
 *     -DWRITE=memory_order_relaxed        writers do not see what was done before
 *     -DWRITE_DONE=memory_order_relaxed   a writer does not publish what it did
 *     -DREADERS_BY_STORE                  wrong: of two readers that leave at once one counts
 */
#include <stdatomic.h>
#include <stdbool.h>

#ifndef READ
#define READ memory_order_acquire
#endif
#ifndef READ_DONE
#define READ_DONE memory_order_release
#endif
#ifndef WRITE
#define WRITE memory_order_acquire
#endif
#ifndef WRITE_DONE
#define WRITE_DONE memory_order_release
#endif

static bool try_read(atomic_int *l)
{
	int n = atomic_load_explicit(l, memory_order_relaxed);

	while (n >= 0)
		if (atomic_compare_exchange_strong_explicit(l, &n, n + 1, READ, memory_order_relaxed))
			return true;
	return false;
}

static bool try_write(atomic_int *l)
{
	int n = 0;

	return atomic_compare_exchange_strong_explicit(l, &n, -1, WRITE, memory_order_relaxed);
}

static void read_done(atomic_int *l)
{
#ifdef READERS_BY_STORE
	atomic_store_explicit(l, atomic_load_explicit(l, memory_order_relaxed) - 1, READ_DONE);
#else
	atomic_fetch_sub_explicit(l, 1, READ_DONE);
#endif
}

#include <linchpin.h>

static atomic_int l;

LP_SPEC("rwlock")
LP_AFTER("read_unlock", "read_lock")
LP_AFTER("write_unlock", "write_lock")
LP_METHOD(read_lock)
{
	while (!try_read(&l))
		;
	return LP_VOID;
}
LP_METHOD(write_lock)
{
	while (!try_write(&l))
		;
	return LP_VOID;
}
#ifdef TRY
LP_METHOD(try_read_lock) { return try_read(&l); }
LP_METHOD(try_write_lock) { return try_write(&l); }
#endif
LP_METHOD(read_unlock) { read_done(&l); return LP_VOID; }
LP_METHOD(write_unlock) { atomic_store_explicit(&l, 0, WRITE_DONE); return LP_VOID; }
