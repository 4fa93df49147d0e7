/* hash.h -- the hash codes of the keys 0, 1, 2, ...
 *
 * The key itself; with -DANY_HASH any function of 0 .. HASH_KEYS-1 to 0 and 1, all of which are
 * explored (hash_choose() is part of the set-up); with -DSAME_HASH always 0.  Cuckoo tables need
 * two: the second one is the first plus 1, or another choice.
 */
#ifndef ZOO_PARTS_HASH_H
#define ZOO_PARTS_HASH_H

#include <linchpin.h>

enum { HASH_KEYS = 3 };

/* The keys that there are, for LP_ARGS(). */
#ifdef ANY_HASH
#define HASH_ARGS "0 1 2"
static unsigned hash_chosen[2][HASH_KEYS];
#else
#define HASH_ARGS "0 1 2 3"
#endif

/* How many functions are needed: 1 or 2. */
static inline void hash_choose(int functions)
{
#ifdef ANY_HASH
	for (int f = 0; f < functions; f++)
		for (unsigned key = 0; key < HASH_KEYS; key++)
			hash_chosen[f][key] = lp_choose(2);
#else
	(void)functions;
#endif
}

static inline unsigned hash_of(int function, long key)
{
#if defined ANY_HASH
	return hash_chosen[function][key];
#elif defined SAME_HASH
	(void)function;
	(void)key;
	return 0;
#else
	return (unsigned)key + (unsigned)function;
#endif
}

static inline unsigned hash(long key)
{
	return hash_of(0, key);
}

#endif
