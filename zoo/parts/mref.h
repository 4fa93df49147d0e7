/* mref.h -- a reference with a mark: Java's AtomicMarkableReference in one word.
 *
 * The mark is the lowest bit of the address.  Everything is sequentially consistent, as
 * volatile is in Java.
 */
#ifndef ZOO_PARTS_MREF_H
#define ZOO_PARTS_MREF_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic(uintptr_t) mref;

static inline uintptr_t mref_word(const void *to, bool mark)
{
	return (uintptr_t)to | mark;
}

static inline void *mref_to(uintptr_t word)
{
	return (void *)(word & ~(uintptr_t)1);
}

static inline bool mref_mark(uintptr_t word)
{
	return word & 1;
}

/* The reference alone. */
static inline void *mref_get(mref *r)
{
	return mref_to(atomic_load(r));
}

/* Reference and mark are compared together, and set together. */
static inline bool mref_cas(mref *r, const void *to, const void *new_to, bool mark, bool new_mark)
{
	uintptr_t expected = mref_word(to, mark);
	return atomic_compare_exchange_strong(r, &expected, mref_word(new_to, new_mark));
}

/* attemptMark(): sets the mark if the reference is `to`, *whatever the mark is now*, and is
 * content.  So two threads that mark the same reference both succeed. */
static inline bool mref_attempt_mark(mref *r, const void *to, bool new_mark)
{
	uintptr_t now = atomic_load(r);

	if (mref_to(now) != to)
		return false;
	return now == mref_word(to, new_mark) ||
	       atomic_compare_exchange_strong(r, &now, mref_word(to, new_mark));
}

#endif
