#!/usr/bin/env bash
# hash.sh LINCHPIN -- hash functions that are chosen (LP_HASH): every one is tried exactly once.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

cat >hash.c <<'END'
#include <linchpin.h>
#include <stdio.h>
LP_HASH(hash, KEYS, CODES)
int main(void)
{
	char text[16] = "";
	CHOOSE();
	for (int key = 0; key < KEYS; key++)
		text[key] = (char)('0' + hash(key));
	lp_outcome(text);
	return 0;
}
END
expect 0 run hash.c -- -DKEYS=3 -DCODES=2 -DCHOOSE=hash_choose; out_has "8 complete"
for code in 000 001 010 011 100 101 110 111; do out_has "$code"; done
# Hash functions count as equal up to the names of codes, so they are partitions of the keys.
expect 0 run hash.c -- -DKEYS=3 -DCODES=2 -DCHOOSE=hash_choose_alike; out_has "4 complete"
for code in 000 001 010 011; do out_has "$code"; done
expect 0 run hash.c -- -DKEYS=4 -DCODES=3 -DCHOOSE=hash_choose; out_has "81 complete"
expect 0 run hash.c -- -DKEYS=4 -DCODES=3 -DCHOOSE=hash_choose_alike; out_has "14 complete"
expect 0 run hash.c -- -DKEYS=4 -DCODES=4 -DCHOOSE=hash_choose_alike; out_has "15 complete"

# A hash function stays the same throughout an execution, and each LP_HASH has its own.
cat >set.c <<'END'
#include <linchpin.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long bucket[2][4], count[2];
LP_HASH(hash, 4, 2)
LP_SPEC("set")
LP_ARGS("0 1 2 3")
LP_SETUP { hash_choose_alike(); }
static long at(long key)
{
	for (long i = 0; i < count[hash(key)]; i++)
		if (bucket[hash(key)][i] == key)
			return i;
	return -1;
}
LP_METHOD(add, k)
{
	pthread_mutex_lock(&lock);
	const int there = at(k) >= 0;
	if (!there) {
#ifdef BUG /* room for three keys of the same code */
		if (count[hash(k)] < 3)
#endif
		bucket[hash(k)][count[hash(k)]++] = k;
	}
	pthread_mutex_unlock(&lock);
	return !there;
}
LP_METHOD(contains, k)
{
	pthread_mutex_lock(&lock);
	const int there = at(k) >= 0;
	pthread_mutex_unlock(&lock);
	return there;
}
END
expect 0 check set.c --model sc --ops 3; err_empty
expect 0 check set.c --model sc --client 'add(0); add(1); add(2); add(3); contains(3)'; out_has "8 complete"
expect 1 check set.c --model sc --client 'add(0); add(1); add(2); add(3); contains(3)' -- -DBUG; out_has "not linearizable"
expect 0 check set.c --model sc --client 'add(0); add(1); add(2); contains(2)' -- -DBUG
finish
