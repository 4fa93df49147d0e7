/* hash.h -- the hash codes of the keys 0, 1, 2, ...
 *
 * The key itself; with -DANY_HASH any function of 0 .. HASH_KEYS-1 to 0 and 1, all of which are
 * explored (hash_choose() is part of the set-up); with -DSAME_HASH always 0.
 */
#ifndef ZOO_PARTS_HASH_H
#define ZOO_PARTS_HASH_H

#include <linchpin.h>

enum { HASH_KEYS = 3 };

#ifdef ANY_HASH
static unsigned hash_chosen[HASH_KEYS];
#endif

static inline void hash_choose(void)
{
#ifdef ANY_HASH
	for (unsigned key = 0; key < HASH_KEYS; key++)
		hash_chosen[key] = lp_choose(2);
#endif
}

static inline unsigned hash(long key)
{
#if defined ANY_HASH
	return hash_chosen[key];
#elif defined SAME_HASH
	(void)key;
	return 0;
#else
	return (unsigned)key;
#endif
}

#endif
