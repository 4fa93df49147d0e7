#!/usr/bin/env bash
# synchronous.sh LINCHPIN -- an object whose calls take effect in pairs, for all clients.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

cat >sync.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int item, full, busy;
LP_SPEC("queue:synchronous")
LP_METHOD(enqueue, v)
{
	pthread_mutex_lock(&m);
	while (busy)
		pthread_cond_wait(&c, &m);
	busy = 1;
	item = (int)v;
	full = 1;
	pthread_cond_broadcast(&c);
	while (full && !NOT_MET)
		pthread_cond_wait(&c, &m);
	busy = 0;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	return LP_VOID;
}
LP_METHOD(dequeue)
{
	pthread_mutex_lock(&m);
	while (!full && !NOT_WAITING)
		pthread_cond_wait(&c, &m);
	const int v = full ? item : -1;
	full = 0;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	return v < 0 ? LP_EMPTY : v;
}
C
expect 0 check sync.c --ops 3 -- -DNOT_MET=0 -DNOT_WAITING=0; out_has "queue:synchronous"
expect 1 check sync.c --ops 3 -- -DNOT_MET=1 -DNOT_WAITING=0; out_has "not linearizable"
expect 1 check sync.c --ops 3 -- -DNOT_MET=0 -DNOT_WAITING=1; out_has "dequeue() -> empty"
expect 1 check sync.c --ops enqueue=1,dequeue=1 -- -DNOT_MET=1 -DNOT_WAITING=0; out_has "not linearizable"
finish
