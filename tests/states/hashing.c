/* hashing.c -- a set of two buckets, with every hash function that there is.
 *
 * Where a key belongs is chosen by the first who asks, and then stays so: lp_choose() makes all
 * functions of one.
 *
 *     -DONE   a bucket has room for one key only: wrong if two of them meet
 *     -DAPART they never do
 */
#include <linchpin.h>
#include <stdatomic.h>

enum { KEYS = 2, BUCKETS = 2 };

static _Atomic unsigned place[KEYS + 1]; /* by key: 1 + its bucket, or 0: not yet chosen */
static _Atomic int bucket[BUCKETS];      /* its keys, a bit each; or the one that it has */

static unsigned hash(int64_t key)
{
	unsigned p = place[key];

#ifdef APART
	return (unsigned)key % BUCKETS;
#endif
	if (!p) {
		const unsigned mine = 1 + lp_choose(BUCKETS);
		if (atomic_compare_exchange_strong(&place[key], &p, mine))
			p = mine;
	}
	return p - 1;
}

LP_SPEC("set")
LP_ARGS("1 2")

#ifdef ONE

LP_METHOD(insert, key)
{
	int none = 0;
	return atomic_compare_exchange_strong(&bucket[hash(key)], &none, (int)key);
}

LP_METHOD(remove, key)
{
	int one = (int)key;
	return atomic_compare_exchange_strong(&bucket[hash(key)], &one, 0);
}

#else

LP_METHOD(insert, key)
{
	return !(atomic_fetch_or(&bucket[hash(key)], 1 << key) >> key & 1);
}

LP_METHOD(remove, key)
{
	return atomic_fetch_and(&bucket[hash(key)], ~(1 << key)) >> key & 1;
}

#endif
