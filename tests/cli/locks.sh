#!/usr/bin/env bash
# locks.sh LINCHPIN -- the specifications of locks and semaphores require that they order what they
# protect: a release happens before the next acquisition.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
zoo=$here/../../zoo
relaxed=memory_order_relaxed

# ---- the report names both lines, with the orders that they need ----

expect 1 check "$zoo/spinlock.c" -- -DTAKE=$relaxed -DGIVE=$relaxed
head -n 1 .out | grep -qx "violation: not synchronised" || fail "the first line"
sed -n 2p .out | grep -qx "  unlock() does not happen before what follows lock()" || fail "the second line"
out_has "T2 reads at spinlock.c:28 (relaxed: acquire is needed) what T1 wrote at spinlock.c:44 (relaxed: release is needed)"
expect 1 check "$zoo/spinlock.c" -- -DTAKE=$relaxed
out_has "T2 reads at spinlock.c:28 (relaxed: acquire is needed) what T1 wrote at spinlock.c:44 (release)"
expect 1 check "$zoo/spinlock.c" -- -DGIVE=$relaxed
out_has "T2 reads at spinlock.c:28 (acquire) what T1 wrote at spinlock.c:44 (relaxed: release is needed)"
expect 0 check "$zoo/spinlock.c"; out_has "linearizable, each release happens before the next acquisition"
expect 1 check "$zoo/spinlock.c" --json -- -DGIVE=$relaxed; json_has '"kind":"not synchronised"'
expect 1 check "$zoo/spinlock.c" -j 2 --trace lock.trace -- -DGIVE=$relaxed; out_has "not synchronised"
expect 1 replay lock.trace; out_has "violation: not synchronised"

# ---- for every property, and for one client ----

for prop in linearizable sequential quiescent serializable; do
	expect 0 check "$zoo/spinlock.c" --prop $prop
	expect 1 check "$zoo/spinlock.c" --prop $prop -- -DTAKE=$relaxed; out_has "not synchronised"
done
expect 1 check "$zoo/spinlock.c" --client 'lock(); unlock() | lock()' -- -DTAKE=$relaxed; out_has "not synchronised"
# A lock that waits, as it may, is not the error.
expect 1 check "$zoo/spinlock.c" --client 'lock(); unlock() | lock() | lock()' -- -DTAKE=$relaxed
out_has "violation: not synchronised"; out_lacks "stuck"
# A failed try acquires nothing, and needs no synchronisation.
expect 0 check "$zoo/spinlock.c" --client 'lock(); unlock() | trylock()' --no-symmetry
expect 1 check "$zoo/spinlock.c" --client 'lock(); unlock() | trylock()' -- -DTAKE=$relaxed
out_has "trylock() -> true"; out_has "not synchronised"

# ---- which permit was acquired ----

# There are two permits, and two are taken: no call needs the third one.
expect 0 check "$zoo/slotsemaphore.c" --ops acquire=2,release=1 -- -DINIT=2 -DTAKE=$relaxed
expect 1 check "$zoo/slotsemaphore.c" --ops acquire=3,release=1 -- -DINIT=2 -DTAKE=$relaxed
out_has "release() does not happen before what follows acquire()"
# A semaphore that counts in one word orders more than is required; one with slots does not.
expect 0 check "$zoo/slotsemaphore.c" --ops acquire=2,release=2
# Readers need not be ordered with each other.
expect 0 check "$zoo/rwspinlock.c" --ops read_lock=3,read_unlock=3 -- -DREAD=$relaxed -DREAD_DONE=$relaxed
expect 1 check "$zoo/rwspinlock.c" -- -DREAD_DONE=$relaxed
out_has "read_unlock() does not happen before what follows write_lock()"
expect 1 check "$zoo/rwspinlock.c" -- -DREAD=$relaxed
out_has "write_unlock() does not happen before what follows read_lock()"

# ---- as a program that fails ----

# emits FILE FLAG: `run` finds the race with the flag, and no error without it
emits() {
	expect 1 check "$zoo/$1" --emit-test client.c -- "$2"; out_has "hint: the client is in the file"
	expect 1 run client.c -- "$2"; out_has "violation: race"
	expect 0 run client.c
}
emits spinlock.c -DTAKE=$relaxed
emits rwspinlock.c -DREAD=$relaxed
emits rwspinlock.c -DREAD_DONE=$relaxed
# A client cannot know beforehand whose permit it gets, or whether a try will succeed.
rm client.c
expect 1 check "$zoo/slotsemaphore.c" --emit-test client.c -- -DINIT=1 -DTAKE=$relaxed; out_has "hint: no test was written"
expect 1 check "$zoo/spinlock.c" --emit-test client.c -- -DONLY_TRY -DTAKE=$relaxed; out_has "hint: no test was written"
[ ! -e client.c ] || fail "a test was written"

# ---- a thread that acquires the lock again ----

# Each thread has a node: in a CLH lock, the next thread gets it once the lock is released.
cat >clh.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { atomic_bool held; };
static struct node first;
static _Atomic(struct node *) tail = &first;
static _Thread_local struct node *mine, *before;
LP_SPEC("lock")
LP_METHOD(lock)
{
	if (!mine)
		mine = malloc(sizeof *mine);
	atomic_store(&mine->held, true);
	before = atomic_exchange(&tail, mine);
	while (atomic_load(&before->held))
		;
	return LP_VOID;
}
LP_METHOD(unlock) { atomic_store(&mine->held, false); mine = NEXT; return LP_VOID; }
LP_AFTER("unlock", "lock")
C
expect 1 check clh.c -- -DNEXT=mine
out_has "thread 1: lock() [T1]; unlock() [T1]; lock() never returns [T1]"
expect 0 check clh.c --ops lock=3,unlock=3 -- -DNEXT=before
out_has "with several calls in a thread were tried, too, as LP_ROLE and LP_AFTER allow"

# A thread that holds the lock does not call lock(), but may call trylock(); if this succeeds, the lock must be released as well.
cat >again.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_mutex_t m;
LP_SPEC("lock")
LP_SETUP
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, KIND);
	pthread_mutex_init(&m, &a);
}
LP_METHOD(lock) { pthread_mutex_lock(&m); return LP_VOID; }
LP_METHOD(trylock) { return !pthread_mutex_trylock(&m); }
LP_METHOD(unlock) { pthread_mutex_unlock(&m); return LP_VOID; }
LP_AFTER("unlock", "lock")
LP_AFTER_TRUE("unlock", "trylock")
C
expect 1 check again.c -- -DKIND=PTHREAD_MUTEX_RECURSIVE; out_has "thread 1: lock() [T1]; trylock() -> true [T1]"
expect 0 check again.c -- -DKIND=PTHREAD_MUTEX_ERRORCHECK

# The thread of a role may make other calls, too.
cat >role.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
static _Thread_local int own;
LP_SPEC("counter")
LP_ROLE("increment")
LP_METHOD(increment) { own = 1; atomic_fetch_add(&n, 1); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n) + own; }
C
expect 1 check role.c; out_has "thread 1: increment() [T1]; read() -> 2 [T1]"

# ---- --sync is about values ----

for sync in r ri rid; do
	expect 2 check "$zoo/spinlock.c" --sync $sync; says "--sync $sync: a lock passes on no values"; alone
done
expect 2 check "$zoo/rwspinlock.c" --sync r; says "--sync r: a rwlock passes on no values"; alone
expect 2 check "$zoo/slotsemaphore.c" --sync r; says "--sync r: a semaphore passes on no values"; alone
expect 2 check "$zoo/snzi.c" --sync r; says "--sync r: a snzi passes on no values"; alone
expect 2 check "$zoo/mailbox.c" --sync r; says "--sync r: a mailbox passes on no values"; alone
printf '#include <linchpin.h>\nLP_SPEC("counter") LP_METHOD(inc) { return LP_VOID; }\n' >counter.c
expect 2 check counter.c --sync r; says "--sync r: a counter passes on no values"; alone
expect 1 check "$zoo/spinlock.c" --sync none -- -DTAKE=$relaxed; out_has "not synchronised"
expect 2 check "$zoo/slotsemaphore.c" --prop quasi:acquire=1; says "--prop quasi: not for a semaphore, whose calls must keep their order"; alone

# ---- a user's specification: permits by name ----

cat >named.c <<'C'
#include <stdatomic.h>
#include <linchpin.h>
#include <linchpin/spec.h>
static enum lp_answer take(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!lp_state_has(s, c->arg[0]))
		return LP_BLOCKS;
	lp_state_remove(s, lp_state_place(s, c->arg[0]));
	return LP_ACCEPTS;
}
static enum lp_answer give(struct lp_state *s, const struct lp_spec_call *c)
{
	lp_state_insert(s, lp_state_place(s, c->arg[0]), c->arg[0]);
	return LP_ACCEPTS;
}
#ifdef PLAIN
enum { TAKES, GIVES = 0 };
#else
enum { TAKES = LP_TAKES, GIVES = LP_GIVES };
#endif
static const struct lp_method methods[] = {
	{ "take", 1, LP_NOTHING, TAKES, take }, { "give", 1, LP_NOTHING, GIVES, give },
};
static const struct lp_kind permits = {
	.name = "permits", .about = "permits by name", .by_key = true, .methods = methods, .method_count = 2,
};
LP_SPEC_OWN(permits)
LP_ARGS("0 1")
#ifndef ORDER
#define ORDER memory_order_acquire
#endif
static atomic_int count[2];
LP_METHOD(take, k)
{
	for (;;) {
		int n = atomic_load_explicit(&count[k], memory_order_relaxed);
		if (n && atomic_compare_exchange_strong_explicit(&count[k], &n, n - 1, ORDER, memory_order_relaxed))
			return LP_VOID;
	}
}
LP_METHOD(give, k) { atomic_fetch_add_explicit(&count[k], 1, memory_order_release); return LP_VOID; }
C
expect 0 check named.c
expect 1 check named.c -- -DORDER=$relaxed; out_has "give(0) does not happen before what follows take(0)"
expect 0 check named.c -- -DORDER=$relaxed -DPLAIN
finish
