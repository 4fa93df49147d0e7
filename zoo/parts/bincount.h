/* bincount.h -- a count that is never below zero. */
#ifndef ZOO_PARTS_BINCOUNT_H
#define ZOO_PARTS_BINCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>

typedef atomic_uint bincount;

static inline void bincount_increment(bincount *c)
{
	atomic_fetch_add(c, 1);
}

/* False if it is zero, and stays so. */
static inline bool bincount_decrement(bincount *c)
{
	unsigned now = atomic_load(c);

	while (now && !atomic_compare_exchange_strong(c, &now, now - 1))
		;
	return now;
}

#endif
