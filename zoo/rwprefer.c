/* rwprefer.c -- locks of readers and writers in one word, which prefer one or the other.
 *
 * The word counts readers; a writer makes it negative.
 *
 *     -DWRITERS   readers give way to writers that wait: a rwlock:writers.  A thread that reads twice may be stuck
 *     -DREADERS   a reader announces itself, then waits, and a try takes that back: a rwlock:readers.  Meanwhile a try to
 *                 write fails, though no thread has the lock
 *     -DKEEPS     wrong: a reader that fails does not take it back
 */
#include <stdatomic.h>
#include <stdbool.h>

enum { WRITTEN = -100 };

static atomic_int word, waiting;

#ifdef WRITERS
static bool try_read(void)
{
	int n = atomic_load(&word);

	while (n >= 0 && !atomic_load(&waiting))
		if (atomic_compare_exchange_strong(&word, &n, n + 1))
			return true;
	return false;
}

static void lock_read(void)
{
	while (!try_read())
		;
}
#else
static bool try_read(void)
{
	if (atomic_fetch_add(&word, 1) >= 0)
		return true;
#ifndef KEEPS
	atomic_fetch_sub(&word, 1);
#endif
	return false;
}

static void lock_read(void)
{
	atomic_fetch_add(&word, 1);
	while (atomic_load(&word) < 0)
		;
}
#endif

static bool try_write(void)
{
	int n = 0;

	return atomic_compare_exchange_strong(&word, &n, WRITTEN);
}

static void lock_write(void)
{
#ifdef WRITERS
	atomic_fetch_add(&waiting, 1);
#endif
	while (!try_write())
		;
#ifdef WRITERS
	atomic_fetch_sub(&waiting, 1);
#endif
}

#include <linchpin.h>

LP_SPEC("rwlock")
LP_AFTER("read_unlock", "read_lock")
LP_AFTER("write_unlock", "write_lock")
LP_METHOD(read_lock) { lock_read(); return LP_VOID; }
LP_METHOD(write_lock) { lock_write(); return LP_VOID; }
LP_METHOD(try_read_lock) { return try_read(); }
LP_METHOD(try_write_lock) { return try_write(); }
LP_METHOD(read_unlock) { atomic_fetch_sub(&word, 1); return LP_VOID; }
LP_METHOD(write_unlock) { atomic_fetch_sub(&word, WRITTEN); return LP_VOID; }
