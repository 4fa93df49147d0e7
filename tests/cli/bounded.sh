#!/usr/bin/env bash
# bounded.sh LINCHPIN -- `linchpin check --ak`: which errors show with K moments in time, and not with fewer.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

# A queue that returns a value twice, does not find a value (LOST), or returns the last value first.
cat >queue.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long at[16], first, last;
LP_SPEC("queue")
LP_METHOD(enqueue, v) { pthread_mutex_lock(&m); at[last++] = v; pthread_mutex_unlock(&m); return LP_VOID; }
LP_METHOD(dequeue)
{
	pthread_mutex_lock(&m);
#if defined TWICE
	const long v = last ? at[0] : LP_EMPTY;
#elif defined LOST
	const long v = first + 1 < last ? at[first++] : LP_EMPTY;
#elif defined LAST
	const long v = last ? at[--last] : LP_EMPTY;
#else
	const long v = first < last ? at[first++] : LP_EMPTY;
#endif
	pthread_mutex_unlock(&m);
	return v;
}
C
for k in 0 1 2; do
	expect 0 check queue.c --model sc --ops 4 --ak $k; out_has "is a $k-bounded linearizable queue"
done
expect 1 check queue.c --model sc --ops 4 --ak 0 -- -DTWICE; out_has "not linearizable"
expect 0 check queue.c --model sc --ops 4 --ak 0 -- -DLOST
expect 1 check queue.c --model sc --ops 4 --ak 1 -- -DLOST
expect 0 check queue.c --model sc --ops 3 --ak 0 -- -DLAST
expect 1 check queue.c --model sc --ops 3 --ak 1 -- -DLAST
expect 1 check queue.c --model sc --ops 4 --ak 1 --preemptions 0 -- -DLOST

# A register that returns the value before the last one: finding this takes two moments.
cat >stale.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long now, then;
LP_SPEC("register")
LP_ARGS("1 2")
LP_METHOD(write, v) { pthread_mutex_lock(&m); then = now ? now : v; now = v; pthread_mutex_unlock(&m); return LP_VOID; }
LP_METHOD(read) { pthread_mutex_lock(&m); const long v = then; pthread_mutex_unlock(&m); return v; }
C
expect 0 check stale.c --model sc --ops 3 --ak 1
expect 1 check stale.c --model sc --ops 3 --ak 2
expect 1 check stale.c --model sc --ops 3

expect 2 check queue.c --ak 1; says "--ak requires --model sc"; alone
expect 2 check queue.c --model sc --ak 1 --prop sequential; says "cannot be combined with --prop"; alone
expect 2 check queue.c --model sc --ak 1 --client 'enqueue(1) | dequeue()'; says "cannot be combined with --client"; alone
finish
