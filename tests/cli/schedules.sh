#!/usr/bin/env bash
# schedules.sh LINCHPIN -- `linchpin check --schedules`: the numbers are those of the paper, no violation is
# lost although not all schedules are explored, and objects that do not fit are refused.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# A set of small keys as bits; with BUG, two insertions that overlap, or that come late, both succeed.
cat >set.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_long bits;
#ifdef APART
static _Thread_local int mine;
#define LOOK() ((void)(*(volatile int *)&mine))
#else
#define LOOK() ((void)0)
#endif
LP_SPEC("set")
LP_METHOD(add, k) { LOOK(); return !(atomic_fetch_or(&bits, 1L << k) >> k & 1); }
LP_METHOD(contains, k) { return atomic_load(&bits) >> k & 1; }
LP_METHOD(remove, k)
{
#ifdef BUG
	const long seen = atomic_load(&bits);
	atomic_store(&bits, seen & ~(1L << k));
	return seen >> k & 1;
#else
	return atomic_fetch_and(&bits, ~(1L << k)) >> k & 1;
#endif
}
C
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
	const long v = first < last ? at[first++] : LP_EMPTY;
	pthread_mutex_unlock(&m);
	return v;
}
C
# With WAITS a removal waits for an insertion, which only the same thread can make.
cat >least.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_long bits;
LP_SPEC("priority_queue")
LP_METHOD(insert, p) { atomic_fetch_or(&bits, 1L << p); return LP_VOID; }
LP_METHOD(remove_min)
{
	long seen = atomic_load(&bits);
#ifdef WAITS
	while (!(seen = atomic_load(&bits)))
		;
#endif
	while (seen && !atomic_compare_exchange_strong(&bits, &seen, seen & (seen - 1)))
		;
	return seen ? __builtin_ctzl((unsigned long)seen) : LP_EMPTY;
}
C
meets=$here/../../zoo/amp_syncqueue.c # no less than that is synchronous

counts() { # FILE A B C D E
	local file=$1 configuration
	shift
	for configuration in A B C D E; do
		expect 0 check "$file" --model sc --schedules $configuration
		out_has "for all $1 schedules"
		shift
	done
}
counts set.c 63 270 270 8108 322930
counts queue.c 9 18 18 58 166
counts least.c 7 25 25 156 1096
for pair in A9 B25 C25 D83; do
	expect 0 check "$meets" --model sc --schedules ${pair%%[0-9]*}
	out_has "for all ${pair#?} schedules"
done

# The verdict is the same, whether a few schedules are explored or all of them.
expect 0 check set.c --model sc --schedules D -- -DAPART; out_has "2460 of them"
expect 0 check set.c --model sc --schedules A -- -DBUG; out_has "for all 63 schedules"
for flag in -DBUG -DAPART; do
	expect 1 check set.c --model sc --schedules B -- -DBUG $flag
	out_has "before them: add(0)"
	expect 1 check set.c --model sc --schedules 3,2,0 -- -DBUG $flag
done

# A call that never returns prevents the next call of its thread, and without that one the
# schedule would not have as many insertions as removals.
expect 1 check least.c --model sc --schedules A -- -DWAITS; out_has "violation: stuck"

# For quiescent consistency it is enough that each thread makes one of its two calls.
expect 0 check least.c --model sc --schedules 4,3,1 --prop quiescent
expect 0 check least.c --model sc --schedules 4,2,1 --prop sequential
expect 0 check least.c --model sc --schedules E --preemptions 2; out_has "within the bound"

# Objects and options for which schedules are refused.
cat >map.c <<'C'
#include <linchpin.h>
LP_SPEC("map")
LP_METHOD(get, k) { return k ? LP_NIL : LP_NIL; }
LP_METHOD(put, k, v) { return k == v ? LP_VOID : LP_VOID; }
C
expect 2 check map.c --schedules A; says "'put' has more than one argument"; alone
cat >counter.c <<'C'
#include <linchpin.h>
LP_SPEC("counter")
LP_METHOD(read) { return 0; }
C
expect 2 check counter.c --schedules A; says "is for collections"; alone
sed 's/^LP_SPEC.*/&\nLP_ARGS("0 1 2")/' set.c >three.c
expect 0 check three.c --model sc --schedules B
expect 2 check three.c --model sc --schedules D; says "'add' has 3 values, and 4 are needed"; alone
sed 's/^LP_SPEC.*/&\nLP_ROLE("enqueue")/' queue.c >role.c
expect 2 check role.c --schedules A; says "may call what they want"; alone
for text in F a AA 0,1,0 1,0,0 9,1,0 1,1,5 1,1 1,1,1,1 -1,1,1; do
	expect 2 check set.c --schedules $text; says "--schedules $text: A, B, C, D, E, or"; alone
done
expect 2 check set.c --schedules A --ops 2; says "exclude each other"; alone
expect 2 check set.c --schedules A --pre 1; says "part of it"; alone
finish
