#!/usr/bin/env bash
# races.sh LINCHPIN -- reports explain races: the variable, both accesses with their values and surroundings, why
# nothing orders them, and what would.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

program() { # BEGINNING, what thread 1 does, what thread 2 does
	cat <<C
#include <pthread.h>
#include <stdatomic.h>
$1
static void *one(void *x)
{
	$2
	return x;
}
static void *two(void *x)
{
	$3
	return x;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, one, 0);
	pthread_create(&b, 0, two, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
}
C
}

# The simplest race: two plain increments.
program 'int n;' 'n++;' 'n++;' >n.c
expect 1 run n.c
out_has "read of n by thread 2 races with write by thread 1"
out_has "load n = 0 (plain)"
out_has "store n = 1 (plain)"
out_has "=> race: nothing orders it and step 3"
out_has "why: nothing orders the two accesses to n"
expect 1 run --json n.c
json_has '"race":[2,4]'

# A flag whose orders are too weak: on both sides, on one side, with a fence.
expect_gap() { # STORE LOAD TEXT
	program 'int data; atomic_int flag;' "data = 42; atomic_store_explicit(&flag, 1, memory_order_$1);" \
		"if (atomic_load_explicit(&flag, memory_order_$2)) data++;" >mp.c
	expect 1 run mp.c
	out_has "$3"
	out_has "store data = 42 (plain)"
}
expect_gap relaxed relaxed "T2 reads at mp.c:11 (relaxed: acquire is needed) what T1 wrote at mp.c:6 (relaxed: release is needed)"
expect_gap release relaxed "T2 reads at mp.c:11 (relaxed: acquire is needed) what T1 wrote at mp.c:6 (release)"
expect_gap relaxed acquire "T2 reads at mp.c:11 (acquire) what T1 wrote at mp.c:6 (relaxed: release is needed)"
program 'int data; atomic_int flag;' \
	'data = 42; atomic_thread_fence(memory_order_release); atomic_store_explicit(&flag, 1, memory_order_relaxed);' \
	'if (atomic_load_explicit(&flag, memory_order_relaxed)) data++;' >fence.c
expect 1 run fence.c
out_has "(relaxed: acquire is needed) what T1 wrote at fence.c:6 (relaxed)"

# The value that a racing write would have written; a copied structure is named, but has no value.
program 'struct { long a, b; } s, t; int n;' 's = t; n = 7;' 'n = 8;' >write.c
expect 1 run write.c
out_has "store n = 8 (plain)"

# Accesses under a lock are shown, not only the lock.
program '#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int balance = 10;' \
	'pthread_mutex_lock(&m); balance -= 7; pthread_mutex_unlock(&m);' \
	'pthread_mutex_lock(&m); balance -= 7; assert(balance >= 0); pthread_mutex_unlock(&m);' >bank.c
expect 1 run bank.c
out_has "store balance = 3 (plain)"
out_has "load balance = 3 (plain)  <- step"

# States: both accesses come next.
cat >object.c <<'C'
#include <linchpin.h>
static int n;
LP_SPEC("counter:k=4")
LP_METHOD(increment) { n = (n + 1) % 4; return LP_VOID; }
LP_METHOD(read) { return n; }
C
expect 1 states object.c
out_has "load n (plain), about to happen"
out_has "store n (plain), about to happen"
out_has "=> race: nothing orders it and step 4"
out_has "are about to access n at the same time, and nothing makes one of them wait"
expect 1 states --json object.c
json_has '"race":[3,4]'
finish
