/* hash.h -- the hash codes of the keys 0, 1, 2, ...
 *
 * The key itself; with -DANY_HASH any function of the keys to 0 and 1, all of which are explored (LP_HASH of linchpin.h;
 * hash_choose() is part of the set-up); with -DSAME_HASH always 0.  Cuckoo tables need two: the second one is the first plus
 * 1, or another choice.
 *
 * -DKEYS=N: so many keys, 3 to 5; 4 if not given, or 3 with -DANY_HASH, as in the paper's configurations.
 */
#ifndef ZOO_PARTS_HASH_H
#define ZOO_PARTS_HASH_H

#include <linchpin.h>

#ifndef KEYS
#ifdef ANY_HASH
#define KEYS 3
#else
#define KEYS 4
#endif
#endif

/* The keys that there are, for LP_ARGS(). */
#if KEYS == 3
#define HASH_ARGS "0 1 2"
#elif KEYS == 4
#define HASH_ARGS "0 1 2 3"
#else
#define HASH_ARGS "0 1 2 3 4"
#endif

#ifdef ANY_HASH
LP_HASH(hash_first, KEYS, 2)
LP_HASH(hash_second, KEYS, 2)
#endif

/* How many functions are needed: 1 or 2. */
static inline void hash_choose(int functions)
{
#ifdef ANY_HASH
	hash_first_choose();
	if (functions > 1)
		hash_second_choose();
#else
	(void)functions;
#endif
}

/* One function, for tables to which the codes are alike: all buckets are accessed in the same way, and none in an order that
 * another thread can see. */
static inline void hash_choose_alike(void)
{
#ifdef ANY_HASH
	hash_first_choose_alike();
#endif
}

static inline unsigned hash_of(int function, long key)
{
#if defined ANY_HASH
	return function ? hash_second(key) : hash_first(key);
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
